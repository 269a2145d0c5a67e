### Messages of: size
