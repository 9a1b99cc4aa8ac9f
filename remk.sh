python3 /tmp/spd/mk5.py
python3 /tmp/spd/mk6.py
