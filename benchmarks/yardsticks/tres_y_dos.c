/* Yardstick: Tres y Dos under the default rules with `greedy` in every seat, in plain C written for speed on one core.
 *
 *     gcc -O3 -march=native -o tres_y_dos tres_y_dos.c
 *     ./tres_y_dos [PLAYERS [HANDS [SEED]]]            4 players, 2,000,000 hands and seed 1 unless told otherwise
 *
 * The program serves twice: its rate is what the compiled core is measured against, and its results are a
 * second witness of the rules, since it shares no line with the core. It prints one JSON object:
 *
 *     players, hands, seed       as asked for
 *     hands_per_cpu_second       hands over the processor time of the playing loop alone
 *     turns_per_finished_hand    mean turns of hands that somebody won; a hand won as dealt counts 0
 *     void_rate                  share of hands given up after MAX_TURNS turns: greedy players can go on forever
 *     dealt_wins                 share of hands won before the first turn
 *     reshuffles_per_hand        times that the pile became the stock, void hands included
 *     win_rate                   share of all hands won, by seat; the first seat is left of the dealer
 *
 * The work is the same as the core's and nothing is saved by knowing the players: each seat has a view of its own, and
 * both decisions are called through pointers that the compiler cannot see through.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 13, DECK = 52, HAND = 5, MAX_PLAYERS = 7, MAX_TURNS = 1000, NOBODY = -1 };

/* ---- Hands -------------------------------------------------------------------------------------------------------
 * Suits never matter (TYD-2), so a hand is how many cards of each rank it holds: thirteen counters of four bits in one
 * word, the ace in the lowest. A counter never exceeds 4, so bit 3 of it stays clear. Each function below answers for
 * all ranks at once and puts its answer into the lowest bit of each counter. */
typedef uint64_t counts;

#define LOWEST_BITS UINT64_C(0x1111111111111)

static inline counts one_card(unsigned rank) { return UINT64_C(1) << (4 * rank); }
static inline unsigned held(counts hand, unsigned rank) { return (hand >> (4 * rank)) & 7; }

static inline counts ranks_held_once(counts hand) { return hand & ~(hand >> 1 | hand >> 2) & LOWEST_BITS; }
static inline counts ranks_held_twice(counts hand) { return ~hand & hand >> 1 & LOWEST_BITS; }
static inline counts ranks_held_thrice(counts hand) { return hand & hand >> 1 & LOWEST_BITS; }
static inline counts ranks_held_four_times(counts hand) { return hand >> 2 & LOWEST_BITS; }

/* Only asked of five cards: three of one rank and two of another are then the whole hand (TYD-9). */
static inline int is_tres_y_dos(counts hand) { return ranks_held_thrice(hand) && ranks_held_twice(hand); }

/* ---- Chance ------------------------------------------------------------------------------------------------------
 * SplitMix64: a counter that runs in steps of the golden ratio, and a mixer that makes a word of each value. */
typedef struct {
  uint64_t counter;
} stream;

static inline uint64_t mix(uint64_t word) {
  word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
  return word ^ word >> 31;
}

static inline uint64_t next_word(stream *chance) { return mix(chance->counter += UINT64_C(0x9e3779b97f4a7c15)); }

/* A number below `bound`, by multiplication: one word a draw, and a bias of at most 52 in 2^32. */
static inline unsigned below(stream *chance, unsigned bound) {
  return (unsigned)((next_word(chance) >> 32) * bound >> 32);
}

/* Every hand has a stream of its own, so that what a hand brings depends on the seed and its number alone. Mixing twice
 * scatters the starts over the whole cycle: streams of neighbouring hands do not overlap. */
static inline stream stream_of(uint64_t seed, uint64_t hand) {
  return (stream){mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) + hand * UINT64_C(0xda942042e4dd58b5))};
}

/* ---- Decisions ---------------------------------------------------------------------------------------------------
 * What a seat may know, and the strategy that plays on it. */
typedef struct {
  counts hand;
  unsigned top; /* rank of the uppermost discard when the turn began */
} view;

typedef unsigned (*decision)(const view *);

typedef struct {
  decision takes_discard; /* 1: take the uppermost discard, 0: draw from the stock */
  decision discard;       /* the rank to throw away, asked with six cards in hand */
} strategy;

/* Greedy takes what it can pair or make a triple of. */
static unsigned greedy_takes_discard(const view *seen) {
  unsigned alike = held(seen->hand, seen->top);
  return alike == 1 || alike == 2;
}

/* Greedy throws the fourth of a kind, which can never count; failing that the lowest of what is least complete. A card
 * just taken from the pile is never thrown alone (TYD-7): greedy held its rank before, so another card of it goes. */
static unsigned greedy_discard(const view *seen) {
  counts hand = seen->hand;
  counts spare = ranks_held_four_times(hand);
  if (!spare) spare = ranks_held_once(hand);
  if (!spare) spare = ranks_held_twice(hand);
  if (!spare) spare = ranks_held_thrice(hand);
  return (unsigned)__builtin_ctzll(spare) / 4;
}

/* Read through volatile, these addresses are unknown to the compiler: it must call, as a core with plug-ins must. */
static const volatile strategy greedy = {greedy_takes_discard, greedy_discard};

/* ---- The table ---------------------------------------------------------------------------------------------------
 * Nobody sees the order of the stock, so it is never shuffled: each draw picks any of the cards left. Turning the pile
 * over is then a copy (TYD-14). */
typedef struct {
  uint8_t stock[DECK], pile[DECK];
  int in_stock, in_pile;
  view seats[MAX_PLAYERS];
} table;

typedef struct {
  int winner; /* seat, or NOBODY when the hand is void */
  unsigned turns, reshuffles;
} outcome;

static inline unsigned draw(table *at, stream *chance) {
  unsigned place = below(chance, (unsigned)at->in_stock);
  unsigned rank = at->stock[place];
  at->stock[place] = at->stock[--at->in_stock];
  return rank;
}

static inline unsigned turn_pile_over(table *at) {
  memcpy(at->stock, at->pile, (size_t)at->in_pile);
  at->in_stock = at->in_pile;
  at->in_pile = 0;
  return 1;
}

static inline void deal(table *at, const uint8_t *deck, unsigned players, stream *chance) {
  memcpy(at->stock, deck, DECK);
  at->in_stock = DECK;
  memset(at->seats, 0, sizeof at->seats);
  for (unsigned card = 0; card < HAND; card++)
    for (unsigned seat = 0; seat < players; seat++) at->seats[seat].hand += one_card(draw(at, chance));
  at->pile[0] = (uint8_t)draw(at, chance);
  at->in_pile = 1;
}

/* Of several who were dealt a winning hand, the one whose turn would come first wins (TYD-11). */
static inline int dealt_winner(const table *at, unsigned players) {
  for (unsigned seat = 0; seat < players; seat++)
    if (is_tres_y_dos(at->seats[seat].hand)) return (int)seat;
  return NOBODY;
}

/* Not inlined, so that a profile tells dealing from playing. */
__attribute__((noinline)) static outcome play(table *at, unsigned players, strategy everybody, stream *chance) {
  outcome result = {dealt_winner(at, players), 0, 0};
  unsigned seat = 0;
  while (result.winner == NOBODY && result.turns < MAX_TURNS) {
    view *mine = &at->seats[seat];
    mine->top = at->pile[at->in_pile - 1];
    if (everybody.takes_discard(mine)) {
      at->in_pile--;
      mine->hand += one_card(mine->top);
    } else {
      if (!at->in_stock) result.reshuffles += turn_pile_over(at);
      mine->hand += one_card(draw(at, chance));
    }
    unsigned thrown = everybody.discard(mine);
    mine->hand -= one_card(thrown);
    at->pile[at->in_pile++] = (uint8_t)thrown;
    if (is_tres_y_dos(mine->hand)) result.winner = (int)seat;
    result.turns++;
    seat = seat + 1 == players ? 0 : seat + 1;
  }
  return result;
}

/* ---- The count ---------------------------------------------------------------------------------------------------*/
typedef struct {
  uint64_t wins[MAX_PLAYERS], finished, dealt, turns, reshuffles;
} tally;

static inline void count(tally *total, outcome result) {
  total->reshuffles += result.reshuffles;
  if (result.winner == NOBODY) return;
  total->wins[result.winner]++;
  total->finished++;
  total->dealt += result.turns == 0;
  total->turns += result.turns;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_json(const tally *total, unsigned players, uint64_t hands, uint64_t seed, double seconds) {
  double all = (double)hands, finished = (double)total->finished;
  printf("{\"players\": %u, \"hands\": %" PRIu64 ", \"seed\": %" PRIu64 ", ", players, hands, seed);
  printf("\"hands_per_cpu_second\": %.0f, ", all / seconds);
  printf("\"turns_per_finished_hand\": %.5f, ", (double)total->turns / finished);
  printf("\"void_rate\": %.6f, ", (double)(hands - total->finished) / all);
  printf("\"dealt_wins\": %.6f, ", (double)total->dealt / all);
  printf("\"reshuffles_per_hand\": %.5f, \"win_rate\": [", (double)total->reshuffles / all);
  for (unsigned seat = 0; seat < players; seat++) printf("%s%.6f", seat ? ", " : "", (double)total->wins[seat] / all);
  puts("]}");
}

int main(int argc, char **argv) {
  long players = argc > 1 ? strtol(argv[1], NULL, 10) : 4;
  long long hands = argc > 2 ? strtoll(argv[2], NULL, 10) : 2000000;
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  if (players < 2 || players > MAX_PLAYERS || hands < 1) {
    fprintf(stderr, "usage: %s [PLAYERS (2 to %d) [HANDS (1 or more) [SEED]]]\n", argv[0], MAX_PLAYERS);
    return 2;
  }

  uint8_t deck[DECK];
  for (unsigned card = 0; card < DECK; card++) deck[card] = (uint8_t)(card % RANKS);
  strategy everybody = {greedy.takes_discard, greedy.discard};
  tally total = {0};

  double begun = processor_seconds();
  for (uint64_t hand = 0; hand < (uint64_t)hands; hand++) {
    stream chance = stream_of(seed, hand);
    table at;
    deal(&at, deck, (unsigned)players, &chance);
    count(&total, play(&at, (unsigned)players, everybody, &chance));
  }
  print_json(&total, (unsigned)players, (uint64_t)hands, seed, processor_seconds() - begun);
  return 0;
}
