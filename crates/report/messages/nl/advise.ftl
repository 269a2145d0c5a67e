### Messages of: advise
