### Messages of: catalogue
