### Berichten van: guide

guide-verdict = { $n ->
    [one] Eén bewering
   *[other] { $n } beweringen
} uit koopgidsen: { $counts }. Opnieuw berekend: { $computed }.
guide-count = { $n } { $verdict }
guide-verdict-right = juist
guide-verdict-wrong = onjuist
guide-verdict-doubtful = twijfelachtig
guide-verdict-dated = verouderd
guide-verdict-unverified = niet na te gaan
guide-yes = ja
guide-no = nee
guide-computed = Berekend: { $value }; de gids zegt { $claimed }.
guide-computed-between = Berekend: { $value }; de bewering klopt tussen { $low } en { $high }.
guide-computed-least = Berekend: { $value }; de bewering vraagt ten minste { $low }.
guide-computed-most = Berekend: { $value }; de bewering vraagt hooguit { $high }.
fault-guide-facts-unreadable = De feiten van de gidsen zijn niet te lezen: { $given }.
fault-guide-verb-unknown = Een controle van de gidsen vraagt { $given }, en dat is geen opdracht.
fault-guide-figure-missing = Het antwoord heeft geen cijfer op { $given }.
fault-claim-unknown = Er is geen bewering { $given }.
hint-claim-unknown = maat guide noemt ze alle: RA01 tot RA65 en RB01 tot RB67.
finding-guide-claim-not-computed = Deze bewering was niet te berekenen: { $why }
finding-guide-verdict-moved = Met deze feiten is het { $verdict }; toen er voor het laatst naar gekeken werd was het { $reviewed }.
column-claim = Bewering
column-verdict = Oordeel
column-statement = Wat de gids zegt
column-why = Waarom
guide-checklist-verdict = De vijf vragen van de gidsen, beantwoord met de feiten van vandaag.
guide-question-work = 1. Wat voor werk?
guide-question-model = 2. Welk model, en hoe groot?
guide-question-budget = 3. Welk budget per uur?
guide-question-hours = 4. Hoeveel uur per maand ({ $machine })?
guide-question-years = 5. Hoe lang ({ $machine })?
guide-given = { $value }
guide-given-hours = { $n } uur
guide-given-years = { $n } jaar
guide-no-budget = geen grens
guide-budget = hooguit { $most }
guide-assumed = { $name } = { $value }
guide-hours-even = Vanaf { $hours } uur per maand ({ $use } benutting) is deze machine kopen goedkoper dan huren.
guide-hours-never = Bij geen enkel aantal uren is deze machine kopen goedkoper dan huren voor deze prijs.
guide-usd = $ { $n }
guide-no-own = Huren en kopen van deze machine zijn niet te vergelijken, omdat een prijs niet bekend is: { $why }
