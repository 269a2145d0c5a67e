### Messages of: guide

guide-verdict = { $n ->
    [one] One claim
   *[other] { $n } claims
} of buyer's guides: { $counts }. Computed anew by the engine: { $computed }.
guide-count = { $n } { $verdict }
guide-verdict-right = right
guide-verdict-wrong = wrong
guide-verdict-doubtful = doubtful
guide-verdict-dated = dated
guide-verdict-unverified = unverified
guide-yes = yes
guide-no = no
guide-computed = Computed: { $value }; the guide says { $claimed }.
guide-computed-between = Computed: { $value }; the claim holds between { $low } and { $high }.
guide-computed-least = Computed: { $value }; the claim asks at least { $low }.
guide-computed-most = Computed: { $value }; the claim asks at most { $high }.
fault-guide-facts-unreadable = The facts of the guides cannot be read: { $given }.
fault-guide-verb-unknown = A check of the guides asks { $given }, which is no verb.
fault-guide-figure-missing = The answer holds no figure at { $given }.
fault-claim-unknown = There is no claim { $given }.
hint-claim-unknown = maat guide lists all: RA01 to RA65 and RB01 to RB67.
finding-guide-claim-not-computed = This claim could not be computed: { $why }
finding-guide-verdict-moved = With these facts it is { $verdict }; when somebody last looked it was { $reviewed }.
column-claim = Claim
column-verdict = Verdict
column-statement = What the guide says
column-why = Why
guide-checklist-verdict = The guides' five questions, answered with today's facts.
guide-question-work = 1. What work?
guide-question-model = 2. Which model, and how large?
guide-question-budget = 3. What budget an hour?
guide-question-hours = 4. How many hours a month ({ $machine })?
guide-question-years = 5. For how long ({ $machine })?
guide-given = { $value }
guide-given-hours = { $n } hours
guide-given-years = { $n ->
    [one] 1 year
   *[other] { $n } years
}
guide-no-budget = no limit
guide-budget = at most { $most }
guide-assumed = { $name } = { $value }
guide-hours-even = From { $hours } hours a month ({ $use } use) on, owning this machine is cheaper than renting it.
guide-hours-never = Owning this machine is at no number of hours cheaper than renting it at this price.
guide-usd = ${ $n }
guide-no-own = Renting and owning this machine cannot be compared, because a price is not known: { $why }
