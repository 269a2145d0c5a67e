### Messages of: doctor
