### What all answers share.

list-and = { $first } and { $last }
unit-hour = h
unit-days = { $days } days
error-label = error
error-where = at
severity-error = error:
severity-warning = warning:
severity-info = note:
finding-fix-label = to do
finding-refuted-label = would be refuted by
finding-gain = Gains at most { $share } of the time.
assumed-label = Assumed
next-label = Next:
explain-assumed-label = Why this was assumed:
sources-label = Sources:
bar-free = free
bar-short = short by
findings-more = … and { $n } more findings; --explain lists all, --json has them too.
