"""Sets of cards: the known facts about cards and tiles, and data files drawn from everything that is consistent with
them.

The numbers on most cards are in no public source. `facts` and `expansion_facts` list what is printed or can be deduced;
`ranges` says from which range and with which odds each unknown number is drawn; `base_set` and `expansion_set` draw
whole data files, which `source` names ("sample:17") and reads like any other data file.
"""
