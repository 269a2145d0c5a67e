### Messages of: model
