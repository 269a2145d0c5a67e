### Messages of: trace
