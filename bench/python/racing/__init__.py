"""The race: every speed that is promised, measured beside every rival.

`race.py` is the command. A family of rows is one module here with a function
`rows`; it runs in a process of its own, so no family warms a cache of the next.
"""
