"""The contract of the Functions Framework as a client sees it: two servers, one function, events.
"""
