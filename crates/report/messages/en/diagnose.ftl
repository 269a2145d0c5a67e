### Messages of: diagnose
