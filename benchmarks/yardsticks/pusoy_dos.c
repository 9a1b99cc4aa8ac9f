/* Yardstick: Pusoy Dos under the default rules with `dumper` in every seat, in plain C written for speed on one core.
 *
 *     gcc -O3 -march=native -o pusoy_dos pusoy_dos.c
 *     ./pusoy_dos [PLAYERS [HANDS [SEED]]]             4 players, 2,000,000 hands and seed 1 unless told otherwise
 *
 * Four players hold 13 cards each; three hold 17, and one card is dead. The program serves twice: its rate is what the
 * compiled core is measured against, and its results are a second witness of the rules, since it shares no line with
 * the core. It prints one JSON object:
 *
 *     players, hands, seed       as asked for
 *     hands_per_cpu_second       hands over the processor time of the playing loop alone
 *     plays_per_hand             mean times that somebody put cards on the table
 *     passes_per_hand            mean times that somebody was asked and put none
 *     cards_left_per_loser       mean cards in the hand of a player who did not win
 *     penalty_per_loser          mean penalty for these cards
 *     lead_share                 share of all leads, by number of cards
 *     win_rate_from_opener       share of all hands won, in turn order from the player who opened
 *
 * Nothing is saved by knowing the players: each decision is called through a pointer that the compiler cannot see
 * through, and whatever comes back is classified before the next seat is asked. Two things are left out: nobody checks
 * that a play is legal, and a view shows the hand and the table but not how many cards the others hold.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { DECK = 52, MAX_PLAYERS = 4, MOST = 5 }; /* MOST: cards of the largest play */

/* ---- Cards -------------------------------------------------------------------------------------------------------
 * A set of cards is one word with a bit for each card, by strength: bit 0 is the three of clubs, then come the three of
 * spades, of hearts and of diamonds, then the fours, and bit 51 is the two of diamonds (PD-1). So the higher of two
 * cards is the bigger word, and four neighbouring bits are a rank. A set of ranks is written with their clubs. */
typedef uint64_t cards;
typedef uint64_t ranks;

#define CLUBS UINT64_C(0x1111111111111)
#define FIVE_IN_ROW UINT64_C(0x11111) /* times a card: it and the same suit of the four ranks above */

static inline unsigned size_of(cards set) { return (unsigned)__builtin_popcountll(set); }
static inline cards lowest(cards set) { return set & -set; }
static inline cards highest(cards set) { return UINT64_C(1) << (63 - __builtin_clzll(set)); }
static inline cards without_lowest(cards set) { return set & (set - 1); }
static inline cards above(cards card) { return -(card << 1); }

static inline unsigned suit_of(cards card) { return (unsigned)__builtin_ctzll(card) & 3; }
static inline cards of_suit(cards set, unsigned suit) { return set & CLUBS << suit; }
static inline cards of_ranks(cards set, ranks wanted) { return set & wanted * 15; }

/* The cards of a set at some places, counted from the lowest card; places beyond the highest bring nothing. */
static inline cards at_places(uint64_t places, cards set) {
#ifdef __BMI2__
  return _pdep_u64(places, set);
#else
  cards found = 0;
  for (; places && set; places >>= 1, set = without_lowest(set))
    if (places & 1) found |= lowest(set);
  return found;
#endif
}

static inline cards lowest_few(unsigned number, cards set) { return at_places((UINT64_C(1) << number) - 1, set); }

/* Ranks of which a set has one card or more, two or more, three or more, all four. Cards are paired off into the clubs
 * and spades of a rank, seen at its clubs, and the hearts and diamonds, seen two bits higher. */
static inline ranks ranks_held(cards set) {
  cards either = set | set >> 1;
  return (either | either >> 2) & CLUBS;
}

static inline ranks ranks_paired(cards set) {
  cards either = set | set >> 1, both = set & set >> 1;
  return (both | both >> 2 | (either & either >> 2)) & CLUBS;
}

static inline ranks ranks_tripled(cards set) {
  cards either = set | set >> 1, both = set & set >> 1;
  return ((either & both >> 2) | (both & either >> 2)) & CLUBS;
}

static inline ranks ranks_complete(cards set) {
  cards both = set & set >> 1;
  return both & both >> 2 & CLUBS;
}

/* What is left when every rank gives up its lowest card: taking one off each rank borrows from no other. */
static inline cards without_lowest_of_ranks(cards set) { return set & (set - ranks_held(set)); }

/* Where five in a row begin, from the lowest four of them and the highest. No row goes beyond the twos (PD-A1). Of
 * ranks this gives those that begin a straight; of cards, the lowest cards of straight flushes. */
static inline uint64_t rows(uint64_t lower, uint64_t tops) {
  uint64_t two = lower & lower >> 4;
  return two & two >> 8 & tops >> 16;
}

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

/* Every hand has a stream of its own, so that what a hand brings depends on the seed and its number alone. Mixing twice
 * scatters the starts over the whole cycle: streams of neighbouring hands do not overlap. */
static inline stream stream_of(uint64_t seed, uint64_t hand) {
  return (stream){mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) + hand * UINT64_C(0xda942042e4dd58b5))};
}

/* As many of `left` places as asked for, seven at most, by one word. Read as a fraction of one and multiplied by the
 * number of places left, the word is a place before the point and the next fraction behind it. Of 52 places seven use
 * up less than 40 of the 64 bits, which leaves a bias of at most one in ten million. */
static inline uint64_t some_places(unsigned number, unsigned left, stream *chance) {
  const uint64_t all = (UINT64_C(1) << left) - 1;
  uint64_t rest = all, fraction = next_word(chance);
  for (unsigned chosen = 0; chosen < number; chosen++) {
    unsigned __int128 product = (unsigned __int128)fraction * (left - chosen);
    fraction = (uint64_t)product;
    rest ^= at_places(UINT64_C(1) << (unsigned)(product >> 64), rest);
  }
  return all ^ rest;
}

/* Places are chosen first and looked up in the deck afterwards: no choice then waits for the cards drawn before. */
static inline cards draw(unsigned number, cards *deck, unsigned left, stream *chance) {
  cards drawn = at_places(some_places(number, left, chance), *deck);
  *deck ^= drawn;
  return drawn;
}

/* ---- Plays -------------------------------------------------------------------------------------------------------
 * Up to three cards a play is as many of one rank, and five cards are compared by their kind first: the kinds rise from
 * here (PD-3, PD-5). */
typedef enum { NONE, SINGLE, PAIR, TRIPLE, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH } kind;

static inline kind kind_of(cards play) {
  unsigned size = size_of(play);
  if (size < MOST) return (kind)size;
  ranks held = ranks_held(play);
  int in_row = held == lowest(held) * FIVE_IN_ROW;
  if (play == held << suit_of(play)) return in_row ? STRAIGHT_FLUSH : FLUSH;
  if (in_row) return STRAIGHT;
  return ranks_complete(play) ? QUADS : FULL_HOUSE;
}

/* ---- Decisions ---------------------------------------------------------------------------------------------------
 * What a seat is shown, and the strategy that plays on it. */
typedef struct {
  cards hand, table; /* `table`: the play to beat */
  cards must;        /* the card that an opening play has to contain (PD-8); otherwise no card */
  kind to_beat;      /* kind of the play on the table, NONE on lead */
} view;

typedef cards (*decision)(const view *); /* the cards to play, or none to pass */

/* Dumper plays the lowest that will do, and of plays that compare equal the smallest word (PD-O7). Below is one
 * function for each kind; it gives the lowest play of the kind that `over` allows, or none. In `over` are the cards or
 * ranks that may decide between two plays: the top card of a straight, the lowest card of a straight flush, and the
 * rank of the triple in a full house or of the four in four of a kind. */
#define ANY (~UINT64_C(0))

static inline cards lowest_alike(unsigned number, cards hand, ranks choice) {
  return lowest_few(number, of_ranks(hand, lowest(choice)));
}

/* The lowest card of each rank, but on top the lowest that `over` allows. If these are of one suit they are no straight
 * but a straight flush, and the least change is a second card of the lowest rank below the top that has one, or else a
 * second top card. If there is neither, the straight has to begin higher. */
static inline cards lowest_straight(cards hand, cards over) {
  for (ranks begins = rows(ranks_held(hand), ranks_held(hand & over)); begins; begins = without_lowest(begins)) {
    cards lower = hand & lowest(begins) * 0xffff, tops = hand & over & lowest(begins) * 0xf0000;
    cards spare = without_lowest_of_ranks(lower), four = lower ^ spare, play = four | lowest(tops);
    if (play != lowest(play) * FIVE_IN_ROW) return play;
    if (spare) return play ^ of_ranks(four, ranks_held(lowest(spare))) ^ lowest(spare);
    if (without_lowest(tops)) return four | lowest(without_lowest(tops));
  }
  return 0;
}

/* In cards of one suit: the five lowest or, where these are a straight flush, the sixth in place of the fifth. */
static inline cards lowest_flush_of(cards suited) {
  if (size_of(suited) < MOST) return 0;
  cards play = lowest_few(MOST, suited);
  if (play != lowest(play) * FIVE_IN_ROW) return play;
  cards rest = suited ^ play;
  return rest ? play ^ highest(play) ^ lowest(rest) : 0;
}

/* Of two flushes the one of the higher suit is higher (PD-A3). */
static inline cards lowest_flush(cards hand, unsigned least_suit) {
  for (unsigned suit = least_suit; suit < 4; suit++) {
    cards play = lowest_flush_of(of_suit(hand, suit));
    if (play) return play;
  }
  return 0;
}

static inline cards lowest_full_house(cards hand, ranks over) {
  ranks triple = lowest(ranks_tripled(hand) & over), pairs = ranks_paired(hand) & ~triple;
  return triple && pairs ? lowest_alike(3, hand, triple) | lowest_alike(2, hand, pairs) : 0;
}

static inline cards lowest_quads(cards hand, ranks over) {
  cards four = of_ranks(hand, lowest(ranks_complete(hand) & over)), kicker = lowest(hand & ~four);
  return four && kicker ? four | kicker : 0;
}

static inline cards lowest_straight_flush(cards hand, cards over) {
  return lowest(rows(hand, hand) & over) * FIVE_IN_ROW;
}

static inline cards lowest_above_full_house(cards hand) {
  cards play = lowest_quads(hand, ANY);
  return play ? play : lowest_straight_flush(hand, ANY);
}

static inline cards lowest_above_flush(cards hand) {
  cards play = lowest_full_house(hand, ANY);
  return play ? play : lowest_above_full_house(hand);
}

static inline cards lowest_above_straight(cards hand) {
  cards play = lowest_flush(hand, 0);
  return play ? play : lowest_above_flush(hand);
}

static inline cards lowest_five(cards hand) {
  cards play = lowest_straight(hand, ANY);
  return play ? play : lowest_above_straight(hand);
}

/* The play must contain the lowest card of the hand. A row does if it begins with that card, so the others of its rank
 * are put aside. If any full house contains it, the lowest one does. Of four of a kind it is one or the kicker. */
static inline cards dumper_opens(cards hand, cards must) {
  unsigned suit = suit_of(must);
  ranks rank = must >> suit;
  cards row = must | (hand & rank * 0xffff0);
  cards play = lowest_straight(row, ANY);
  if (!play) play = lowest_flush_of(of_suit(hand, suit));
  if (!play) play = lowest_full_house(hand, ANY);
  if (!(play & must)) play = lowest_quads(hand, ANY);
  if (!play) play = lowest_straight_flush(row, ANY);
  return play ? play : lowest_few(3, of_ranks(hand, rank));
}

/* Here and below: not inlined, so that the short answers need not save registers for the long ones. */
__attribute__((noinline)) static cards dumper_leads(const view *seen) {
  cards hand = seen->hand;
  if (seen->must) return dumper_opens(hand, seen->must);
  cards play = size_of(hand) < MOST ? 0 : lowest_five(hand);
  if (play) return play;
  ranks tripled = ranks_tripled(hand), paired = ranks_paired(hand);
  if (tripled) return lowest_alike(3, hand, tripled);
  return paired ? lowest_alike(2, hand, paired) : lowest(hand);
}

/* Against a flush of the same suit the top card has to be higher, and the others do not matter. So it is the lowest
 * that is, with the four lowest under it; where no more than four are under it, the five lowest of the suit will do. */
static inline cards dumper_answers_flush(cards hand, cards table) {
  unsigned suit = suit_of(table);
  cards suited = of_suit(hand, suit), top = lowest(suited & above(highest(table))), play = 0;
  if (top) play = size_of(suited & (top - 1)) >= MOST ? lowest_few(4, suited) | top : lowest_flush_of(suited);
  if (!play) play = lowest_flush(hand, suit + 1);
  return play ? play : lowest_above_flush(hand);
}

__attribute__((noinline)) static cards dumper_answers_five(const view *seen) {
  cards hand = seen->hand, table = seen->table, play;
  if (size_of(hand) < MOST) return 0;
  switch (seen->to_beat) {
    case STRAIGHT:
      play = lowest_straight(hand, above(highest(table)));
      return play ? play : lowest_above_straight(hand);
    case FLUSH:
      return dumper_answers_flush(hand, table);
    case FULL_HOUSE:
      play = lowest_full_house(hand, above(ranks_tripled(table)));
      return play ? play : lowest_above_full_house(hand);
    case QUADS:
      play = lowest_quads(hand, above(ranks_complete(table)));
      return play ? play : lowest_straight_flush(hand, ANY);
    default:
      return lowest_straight_flush(hand, above(lowest(table)));
  }
}

/* Pairs of one rank: mine is higher if the diamond is in it and so not on the table (PD-4). Seen at their diamonds, the
 * ranks above the table's higher card are then just those that will do. */
static cards dumper(const view *seen) {
  cards hand = seen->hand, table = seen->table;
  if (seen->to_beat == SINGLE) return lowest(hand & above(table));
  if (seen->to_beat == PAIR) return lowest_alike(2, hand, ranks_paired(hand) & above(without_lowest(table)) >> 3);
  if (seen->to_beat == NONE) return dumper_leads(seen);
  if (seen->to_beat == TRIPLE) return lowest_alike(3, hand, ranks_tripled(hand) & above(lowest(table)));
  return dumper_answers_five(seen);
}

/* Read through volatile, this address is unknown to the compiler: it must call, as a core with plug-ins must. */
static const volatile decision everybody = dumper;

/* ---- The table ---------------------------------------------------------------------------------------------------*/
typedef struct {
  unsigned players;
  cards hands[MAX_PLAYERS];
} table;

typedef struct {
  uint64_t wins[MAX_PLAYERS], leads[MOST + 1], plays, passes, cards_left, penalty;
} tally;

/* Nobody sees the order of the deck, so it is never shuffled: each draw picks any of the cards left. */
static inline void deal_four(table *at, stream *chance) {
  cards deck = (UINT64_C(1) << DECK) - 1;
#pragma GCC unroll 3
  for (unsigned seat = 0, left = DECK; seat < 3; seat++, left -= 13) {
    at->hands[seat] = draw(7, &deck, left, chance);
    at->hands[seat] |= draw(6, &deck, left - 7, chance);
  }
  at->hands[3] = deck;
}

/* One card is left over and out of play (PD-A12). */
static inline void deal_three(table *at, stream *chance) {
  cards deck = (UINT64_C(1) << DECK) - 1;
#pragma GCC unroll 2
  for (unsigned seat = 0, left = DECK; seat < 2; seat++, left -= 17) {
    at->hands[seat] = draw(6, &deck, left, chance);
    at->hands[seat] |= draw(6, &deck, left - 6, chance);
    at->hands[seat] |= draw(5, &deck, left - 12, chance);
  }
  draw(1, &deck, 18, chance);
  at->hands[2] = deck;
}

/* The lowest card that was dealt, and who holds it (PD-8, PD-A13). */
static inline cards lowest_dealt(const table *at) {
  cards dealt = 0;
  for (unsigned seat = 0; seat < at->players; seat++) dealt |= at->hands[seat];
  return lowest(dealt);
}

static inline unsigned holder_of(cards card, const table *at) {
  unsigned holder = 0;
  for (unsigned seat = 1; seat < at->players; seat++)
    if (at->hands[seat] & card) holder = seat;
  return holder;
}

/* All seats in turn order, two bits each and the first one lowest; the given seat is last. */
static inline unsigned round_after(unsigned seat, unsigned players) {
  unsigned twice = players == 4 ? 0xe4e4 : 0x924; /* 0 1 2 3 0 1 2 3, or 0 1 2 0 1 2 */
  return twice >> (2 * seat + 2) & ((1u << 2 * players) - 1);
}

/* Until somebody is out of cards (PD-11). Not inlined, so that a profile tells dealing from playing. */
__attribute__((noinline)) static void play(table *at, decision decide, tally *total) {
  view seen = {.must = lowest_dealt(at)};
  unsigned opener = holder_of(seen.must, at), seat = opener, plays = 0, passes = 0;
  for (;;) {
    seen.hand = at->hands[seat];
    seen.to_beat = NONE;
    seen.table = decide(&seen);
    seen.to_beat = kind_of(seen.table);
    seen.must = 0;
    total->leads[size_of(seen.table)]++;
    plays++;
    at->hands[seat] ^= seen.table;
    if (!at->hands[seat]) break;

    /* Whoever passes is out of the trick (PD-9). `turns` are the seats in it as they come to be asked; behind all
     * `others` comes the one whose play is on the table, who leads next if nobody beats it. */
    unsigned turns = round_after(seat, at->players), others = at->players - 1;
    do {
      seat = turns & 3;
      turns >>= 2;
      seen.hand = at->hands[seat];
      cards answer = decide(&seen);
      if (answer) {
        seen.table = answer;
        if (seen.to_beat > TRIPLE) seen.to_beat = kind_of(answer);
        turns |= seat << 2 * others;
        plays++;
        at->hands[seat] ^= answer;
        if (!at->hands[seat]) goto out;
      } else {
        others--;
        passes++;
      }
    } while (others);
    seat = turns;
  }
out:
  total->wins[seat < opener ? seat + at->players - opener : seat - opener]++;
  total->plays += plays;
  total->passes += passes;
}

/* Penalties by the table b2_classic: ten cards or more count twice, thirteen or more three times (PD-A17). */
static inline void count_cards(const table *at, tally *total) {
  for (unsigned seat = 0; seat < at->players; seat++) {
    unsigned left = size_of(at->hands[seat]);
    total->cards_left += left;
    total->penalty += left * (1u + (left >= 10) + (left >= 13));
  }
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_json(const tally *total, unsigned players, uint64_t hands, uint64_t seed, double seconds) {
  double all = (double)hands, losers = all * (players - 1), leads = 0;
  for (unsigned size = 1; size <= MOST; size++) leads += (double)total->leads[size];
  printf("{\"players\": %u, \"hands\": %" PRIu64 ", \"seed\": %" PRIu64 ", ", players, hands, seed);
  printf("\"hands_per_cpu_second\": %.0f, ", all / seconds);
  printf("\"plays_per_hand\": %.5f, ", (double)total->plays / all);
  printf("\"passes_per_hand\": %.5f, ", (double)total->passes / all);
  printf("\"cards_left_per_loser\": %.5f, ", (double)total->cards_left / losers);
  printf("\"penalty_per_loser\": %.5f, \"lead_share\": {", (double)total->penalty / losers);
  for (unsigned size = MOST; size; size--)
    if (size != 4) printf("\"%u\": %.6f%s", size, (double)total->leads[size] / leads, size > 1 ? ", " : "");
  printf("}, \"win_rate_from_opener\": [");
  for (unsigned turn = 0; turn < players; turn++) printf("%s%.6f", turn ? ", " : "", (double)total->wins[turn] / all);
  puts("]}");
}

int main(int argc, char **argv) {
  long players = argc > 1 ? strtol(argv[1], NULL, 10) : 4;
  long long hands = argc > 2 ? strtoll(argv[2], NULL, 10) : 2000000;
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  if (players < 3 || players > MAX_PLAYERS || hands < 1) {
    fprintf(stderr, "usage: %s [PLAYERS (3 or %d) [HANDS (1 or more) [SEED]]]\n", argv[0], MAX_PLAYERS);
    return 2;
  }

  decision decide = everybody;
  tally total = {0};

  double begun = processor_seconds();
  for (uint64_t hand = 0; hand < (uint64_t)hands; hand++) {
    stream chance = stream_of(seed, hand);
    table at = {.players = (unsigned)players};
    if (players == 4)
      deal_four(&at, &chance);
    else
      deal_three(&at, &chance);
    play(&at, decide, &total);
    count_cards(&at, &total);
  }
  print_json(&total, (unsigned)players, (uint64_t)hands, seed, processor_seconds() - begun);
  return 0;
}
