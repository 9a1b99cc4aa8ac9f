python3 /tmp/spd/mk5.py
