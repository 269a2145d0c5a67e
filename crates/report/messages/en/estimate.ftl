### Messages of: estimate
