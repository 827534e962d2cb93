"""WorldChat as its users have it: an emulator with functions, and people with devices."""
