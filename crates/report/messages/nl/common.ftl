### Wat alle antwoorden gemeen hebben.

list-and = { $first } en { $last }
unit-hour = uur
unit-days = { $days } dagen
error-label = fout
error-where = in
severity-error = fout:
severity-warning = let op:
severity-info = weetje:
finding-fix-label = te doen
finding-refuted-label = wordt weerlegd door
finding-gain = Levert hooguit { $share } van de tijd op.
assumed-label = Aangenomen
next-label = Hierna:
explain-assumed-label = Waarom dit is aangenomen:
sources-label = Bronnen:
bar-free = vrij
bar-short = tekort
findings-more = … en nog { $n } bevindingen; --explain toont alle, --json ook.
