### Berichten van: cost

fault-amount-negative = { $given } is minder dan nul.
hint-amount-negative = Geef nul of meer.
fault-number-malformed = { $given } is geen gewoon getal.
hint-number-malformed = Schrijf een getal zoals 3 of 2.5.
fault-price-malformed = { $given } is geen geldbedrag.
hint-price-malformed = Schrijf 260000, 2.90/h of EUR 0.25/kWh, zonder scheiding van duizendtallen.
fault-price-unit = { $given } is voor een eenheid die niet bekend is.
hint-price-unit = Eenheden zijn /h, /month, /y, /kWh, /kW-month, /M (een miljoen tokens), /GB en /GB-month.
fault-price-unit-wrong = { $given } is voor een andere eenheid dan deze optie vraagt.
hint-price-unit-wrong = Geef het bedrag { $expected ->
    [none] zonder eenheid
   *[other] { $expected }
}.
fault-price-zero = { $flag } is nul.
hint-price-zero = Geef een bedrag boven nul; laat de optie weg voor dat uit de catalogus.
fault-rate-malformed = { $given } is geen aandeel per jaar.
hint-rate-malformed = Schrijf 12%/y, -5%/y of 0.08.
fault-rate-out-of-range = { $given } is geen zinnig aandeel per jaar.
hint-rate-out-of-range = Schrijf procenten met hun teken: 8%; meer dan -100% en hooguit 1.000%.
fault-loan-malformed = { $given } is geen lening.
hint-loan-malformed = Schrijf de rente per jaar en de looptijd: 8%:36m of 6%:3y.
fault-cost-default-missing = De feiten hebben geen aanname voor { $name }.
fault-no-exchange-rate = Er is geen wisselkoers.
hint-no-exchange-rate = Geef met --fx hoeveel euro één dollar is.
fault-tariff-unknown = Er is geen tarief bekend voor { $area } in band { $band }.
hint-tariff-unknown = Bekende banden daar: { $known }. Of geef een prijs: --tariff 0.20.
fault-count-open = Een open aantal heeft geen prijs.
hint-count-open = Geef het aantal versnellers: "8x H100 SXM".
fault-money-too-large = De bedragen zijn te groot om op te tellen.
fault-hours-of-month = Een maand heeft geen { $given } uur.
hint-hours-of-month = Geef 600 tot 800; gebruikelijk zijn 730 en 720.
fault-use-out-of-range = Een benutting van { $given } procent kan niet.
hint-use-out-of-range = Geef meer dan 0% en hooguit 100% van alle uren.
fault-years-out-of-range = { $given } jaar is niet te vergelijken.
hint-years-out-of-range = Geef meer dan 0 en hooguit 50.
fault-pue-out-of-range = Een PUE van { $given } kan niet.
hint-pue-out-of-range = Geef 1.0 (geen koeling naast de machine) tot 5.
fault-rent-missing = Er is geen huur gegeven en de catalogus heeft geen vers aanbod.
hint-rent-missing = Geef --rent 2.90/h voor één versneller, of --rent-total voor de hele machine.
fault-purchase-missing = Er is geen aanschafprijs gegeven en de catalogus heeft er geen.
hint-purchase-missing = Geef --buy voor de hele machine, of --buy-each voor één versneller.
fault-session-missing = --minimum-billing vraagt de gebruikelijke duur van een sessie.
hint-session-missing = Voeg die toe: --session 20m.
fault-session-zero = Een sessie zonder duur is niet te berekenen.
fault-interruptions-too-many = Er wordt zo vaak onderbroken dat er geen werk overblijft.
hint-interruptions-too-many = Verlaag --interruptions, --checkpoint-every of --restart.
fault-advise-answer-unreadable = Dit is geen antwoord van maat advise --json: { $given }.
hint-advise-answer-unreadable = Schrijf er een: maat advise MODEL --json > answer.json
fault-advise-answer-empty = Het antwoord van maat advise heeft geen kandidaat.
fault-power-zero = --power is nul.
fault-power-missing = Er is geen vermogen bekend.
hint-power-missing = Geef --power 1000W, of --gpu met een onderdeel waarvan het vermogen bekend is.

assumed-cost-utilisation = { $value } van alle uren in gebruik
assumed-cost-years = { $value } jaar
assumed-cost-pue = PUE { $value }
assumed-cost-work-share = tijdens het werk trekt hij { $value } van het hoogste vermogen
assumed-cost-idle-share = { $value } daarvan bij niets doen
assumed-cost-host-share = de host trekt { $value } van wat de versnellers trekken
assumed-cost-residual-decline = hij verliest { $value } van zijn waarde per jaar
assumed-cost-discount = later geld telt { $value } minder per jaar
assumed-cost-maintenance = onderhoud { $value } van de aanschaf per jaar
assumed-cost-failures = { $value } van de aanschaf vervangen per jaar
assumed-cost-staff = { $value } persoon voor het beheer
assumed-cost-staff-group = personeel per begonnen { $value } servers
assumed-cost-staff-cost = een persoon kost { $value } per jaar
assumed-cost-colo = ruimte voor { $value } per kW en maand
assumed-cost-network = netwerk en racks { $value } van de servers
assumed-cost-storage-price = opslag voor { $value } per GB en maand
assumed-cost-egress-price = uitgaand verkeer voor { $value } per GB
assumed-cost-fx = { $rate } EUR voor 1 USD ({ $date })
assumed-cost-power = hooguit { $power } ({ $server })
assumed-cost-buy-server = aanschaf { $price } ({ $server }, { $date })
assumed-cost-buy-parts = aanschaf { $price } ({ $part } voor { $each }, een computer eromheen { $host }; { $date })
assumed-cost-rent = { $price } per versneller en uur, het midden van { $n ->
    [one] één aanbieder
   *[other] { $n } aanbieders
} ({ $kind })
assumed-cost-bare = niets dan wat gegeven is
assumed-cost-running-cost = niets naast de vaste lopende kosten
assumed-cost-no-power = energie en ruimte tellen niet mee
assumed-cost-rent-path = de huur blijft zoals hij is
assumed-cost-checkpoint-every = elk uur een checkpoint
assumed-cost-all-hours = hij werkt alle uren
assumed-cost-no-idle = vermogen bij niets doen telt niet mee
assumed-cost-limit = { $power }, de grens van de versnellers
assumed-cost-basis = dichte 16-bits snelheden, opgeteld in FP32

why-cost-default = { $source } ({ $date }); het cijfer staat in facts/prices/cost_defaults.csv.
why-cost-default-unsure = { $source } ({ $date }; niet zeker: { $unsure }); het cijfer staat in facts/prices/cost_defaults.csv.
why-cost-fx = { $source }: { $unsure }. Geef --fx voor de koers van de dag.
why-cost-tariff = Band { $band }, { $consumer }; { $taxes }. Bron: { $source }.
why-cost-power-server = Het hoogste vermogen van een server met deze versnellers: { $source }.
why-cost-buy = De nieuwste prijs in de catalogus ({ $kind }): { $source }. Geef --buy voor de offerte van een verkoper.
why-cost-rent = De helft vraagt tussen { $low } en { $high }; gezien van { $from } tot { $to }. Geef --rent voor een eigen aanbod.
why-cost-asked = De vraag zegt het zo.
why-cost-no-power = Het vermogen van deze machine is niet bekend; geef --power om ze mee te tellen.
why-cost-rent-path = Niemand weet waar huren heen gaan: tot 2025 daalden ze en in 2026 stegen ze. Geef --rent-path om te zien wat het doet.
why-cost-no-idle = Er is geen vermogen bij niets doen gegeven; geef --idle-power om de wachturen mee te tellen.
why-cost-no-cooling = Van de plaats is niets bekend; geef --pue voor de koeling.
why-cost-limit = Alleen de versnellers, op hun vermogensgrens, zonder de computer eromheen; geef --power voor wat een meter aanwijst.
why-cost-basis = Gelijk wordt met gelijk vergeleken: ijle snelheden en optellen in FP16 zijn niet wat trainen en de meeste inferentie gebruiken.

cost-why-even = Een eigen machine kost { $owed } boven de lopende kosten (aanschaf en financiering, min de waarde aan het eind); elke maand bespaart { $saved } tegenover huren.
cost-why-not-at-this-use = Bij { $use } benutting bespaart een maand niets tegenover huren ({ $saved }), dus de { $owed } van een eigen machine wordt niet terugverdiend.
cost-why-never = Een eigen machine laten draaien kost bij elke benutting evenveel als huren ({ $saved } bespaard per maand), dus de { $owed } wordt nooit terugverdiend.

cost-verdict-rent = Huren is goedkoper onder { $even } benutting: over { $years } jaar bij { $use } kost huren { $rent } en kopen { $own }.
cost-verdict-own = Kopen is goedkoper boven { $even } benutting: over { $years } jaar bij { $use } kost kopen { $own } en huren { $rent }.
cost-verdict-rent-full = Huren is zelfs bij volle benutting goedkoper (kopen zou { $even } vragen): over { $years } jaar bij { $use } benutting kost huren { $rent } en kopen { $own }.
cost-verdict-rent-always = Huren is bij elke benutting goedkoper: over { $years } jaar bij { $use } benutting kost huren { $rent } en kopen { $own }.
cost-verdict-own-always = Kopen is bij elke benutting goedkoper: over { $years } jaar bij { $use } benutting kost kopen { $own } en huren { $rent }.
cost-verdict-even = Huren en kopen kosten hetzelfde op 2% na: over { $years } jaar bij { $use } benutting { $rent } en { $own }.
cost-verdict-electricity = Stroom kost { $year } per jaar ({ $kwh } kWh bij { $use } benutting), { $hour } per gebruikt uur.
cost-verdict-per-tflop = { $name } is de goedkoopste van { $n } naar { $basis }: { $price } per uur voor elke { $unit }.
cost-verdict-per-tflop-none = Geen onderdeel heeft zowel een prijs als dit cijfer.
cost-basis-dense-fp32-accumulate = dichte 16-bits snelheid, opgeteld in FP32
cost-basis-vendor-headline = de hoogste snelheid die gedrukt staat
cost-basis-measured = gemeten 16-bits snelheid
cost-basis-bandwidth = geheugenbandbreedte
cost-basis-memory = geheugen

finding-power-threshold = Hij trekt hooguit { $power }; vanaf { $threshold } geldt: { $rule }.
finding-prices-undated = De prijzen hebben geen datum en zeggen dus niets over vandaag.

cost-even-line = Beide kosten hetzelfde bij { $even } benutting, { $hours } uur per dag over de hele tijd{ $range }.
cost-even-range = { " " }(tussen { $low } en { $high })
cost-even-range-open = { " " }(vanaf { $low }; aan het andere eind nooit)
cost-months-line = Bij deze benutting is de eigen machine na { $months } maanden terugverdiend, { $used } gebruikte uren.
cost-month-line = Een maand: huren { $rent }, kopen { $own } (de aanschaf min de waarde aan het eind verdeeld over alle maanden).
cost-hangs-line = Het hangt het meest af van: { $inputs }.
cost-hangs-one = { $input } (verschuift het verschil { $effect })
cost-bar-rent = Huur
cost-bar-own = Koop
cost-line-capital = aanschaf
cost-line-financing = financiering
cost-line-running = onderhoud, personeel, ruimte
cost-line-energy-used = energie tijdens werk
cost-line-energy-idle = energie bij niets doen
cost-line-residual = waarde aan het eind
cost-chart-label = Een gebruikt uur, naar benutting van alle uren:
cost-chart-own = kopen
cost-chart-rent = huren
cost-chart-even = gelijk bij { $even }
cost-row-total = In totaal
cost-row-range = 80%-bereik
cost-row-hour = Een gebruikt uur
cost-row-month = Een maand
cost-row-break-even = Omslagpunt
cost-row-year = Een jaar
cost-row-kwh = kWh per jaar
cost-row-price-kwh = Een kWh
cost-row-mean-hour = Een uur, gemiddeld over alle
cost-row-power = Vermogen tijdens werk
column-rent = Huur
column-own = Koop
column-input = Gegeven
column-low = Laag
column-high = Hoog
column-effect = Verschuift
    het verschil
column-price-hour = Per uur
column-quantity = Cijfer
column-per-unit = Per eenheid
    en uur
column-rank-headline = # naar het
    hoogste cijfer
cost-input-rent = huur per uur
cost-input-rent-path = verloop van de huur
cost-input-buy = aanschafprijs
cost-input-utilisation = benutting
cost-input-years = jaren
cost-input-residual = waarde aan het eind
cost-input-discount = disconto
cost-input-maintenance = onderhoud
cost-input-failures = uitval
cost-input-staff = personeel
cost-input-staff-cost = kosten van een persoon
cost-input-colo = ruimte
cost-input-power = vermogen tijdens werk
cost-input-idle-power = vermogen bij niets doen
cost-input-pue = PUE
cost-input-tariff = stroomprijs
cost-input-running-cost = lopende kosten
cost-next-explain = Waar het van afhangt, en waar elk cijfer vandaan komt:
cost-next-headline = Hetzelfde naar de hoogste gedrukte snelheden:

fault-tokens-malformed = { $given } is geen aantal tokens.
hint-tokens-malformed = Schrijf 40M, 1.5B of 200000.
fault-tokens-zero = Geen tokens kosten niets.
hint-tokens-zero = Geef meer dan 0: 40M.
fault-tokens-missing = De omvang van de taak ontbreekt.
hint-tokens-missing = Geef het aantal tokens: --tokens 40M.
fault-gpu-missing = De machine ontbreekt.
hint-gpu-missing = Noem hem: --gpu "2x RTX 4090".
fault-grid-out-of-range = Geen stroomnet stoot { $given } g per kWh uit.
hint-grid-out-of-range = Geef grammen CO2-equivalent per kWh, hooguit 2.000.
fault-country-unknown = Het stroomnet van { $given } is niet bekend.
hint-country-unknown = Geef twee of drie letters of de Engelse naam, zoals NL, NLD of Netherlands; of grammen per kWh met --grid.

finding-embodied-carbon-unknown = Wat bij het maken is uitgestoten is niet bekend, dus alleen het gebruik telt.
assumed-cost-country = het stroomnet van { $country } ({ $grams } g per kWh)
why-cost-country = Het gemiddelde van { $year }: { $source }. Geef --country voor een ander.
assumed-cost-embodied = { $total } kg voor het maken van de versnellers
why-cost-embodied = Alleen de versnellers, naar een model van hun onderdelen; de computer eromheen telt niet mee. Geef --embodied voor het cijfer van een maker.

cost-verdict-carbon = Hij stoot { $total } kg CO2-equivalent uit over { $years } jaar{ $country ->
    [none] { "" }
   *[other] { " " }op het stroomnet van { $country }
}, waarvan { $share } bij het maken.
cost-verdict-job = { $model }: { $tokens } miljoen tokens duren { $time } op { $machine } en kosten gehuurd { $rent } en op een eigen machine { $own }.
cost-verdict-job-rent = { $model }: { $tokens } miljoen tokens duren { $time } op { $machine } en kosten gehuurd { $rent }.
cost-verdict-job-own = { $model }: { $tokens } miljoen tokens duren { $time } op { $machine } en kosten op een eigen machine { $own }.
cost-verdict-job-unknown = De taak van { $model } past, en de tijd of de prijs is niet bekend.
cost-verdict-job-unfit = { $model } past niet op deze machine en heeft daar dus geen kosten.
cost-verdict-api = De API is goedkoper bij { $tokens } miljoen tokens per maand: { $api } tegen { $other } voor { $machine }; vanaf { $even } miljoen zou de machine het zijn.
cost-verdict-api-alone = De API kost { $api } per maand voor { $tokens } miljoen tokens; wat { $machine } kost is niet bekend.
cost-verdict-api-rent = { $machine } huren is goedkoper bij { $tokens } miljoen tokens per maand: { $month } tegen { $api } voor de API; vanaf { $even } miljoen.
cost-verdict-api-own = { $machine } kopen is goedkoper bij { $tokens } miljoen tokens per maand: { $month } tegen { $api } voor de API; vanaf { $even } miljoen.

cost-api-capacity = Eén machine schrijft en leest hooguit { $capacity } miljoen tokens per maand; { $tokens } miljoen vragen er { $machines ->
    [one] één
   *[other] { $machines }
}, { $use } benut.
cost-row-api = API
cost-row-renting = Huren, alle uren
cost-row-owning = Eigen machine, alle uren
cost-row-operation = Gebruik, per jaar
cost-row-embodied = Maken
cost-row-emitted = Alle jaren
cost-row-per-hour-used = Een gebruikt uur
column-month = Per maand
column-million = Per miljoen
    tokens
column-time = Tijd
column-rented = Gehuurd
column-owned = Eigen
column-carbon = kg CO2e

cost-sheet-billed = betaalde uren per gewerkt uur
cost-sheet-all-hours = huur voor alle uren betaald (1 of 0)
cost-sheet-rent-month = opslag en verkeer per maand
cost-sheet-hours = uren van een maand
cost-sheet-kw = kW waarvoor ruimte wordt betaald
cost-sheet-loan-rate = rente van de lening per jaar
cost-sheet-loan-months = maanden van de lening (0 voor geen)
cost-sheet-month = Maand
cost-sheet-part = Deel
cost-sheet-worth = Waarde
cost-sheet-loan = Lening
cost-sheet-rent-worth = Huur, contant
cost-sheet-own-worth = Koop, contant
cost-sheet-hours-worth = Uren, contant
cost-sheet-rent-use = Huur van de gewerkte uren

assumed-cost-vat = prijzen zonder btw
why-cost-vat = Een bedrijf vraagt btw terug; geef --vat 21% waar dat niet kan.
fault-vat-out-of-range = Een btw van { $given } procent kan niet.
hint-vat-out-of-range = Geef 0% tot 50%, bijvoorbeeld 21%.
cost-open-line = Dit is nog niet beslist: met alle invoer aan de uiteinden kan huren { $rent } goedkoper uitvallen, of kopen { $own }. Een offerte en een gemeten benutting geven de doorslag.
cost-sure-line = Dit klopt ook met de invoer aan de uiteinden: het verschil ligt tussen { $low } en { $high }.
cost-picture-even = Wat een gebruikt uur kost, naar benutting van alle uren
cost-picture-breakdown = Wat huren en kopen kosten, regel voor regel
cost-picture-bases = Prijs van een TFLOP: zoals gedrukt (links) en gelijk met gelijk (rechts)

fault-wait-too-long = { $given } maanden wachten is zo lang als de jaren die worden vergeleken.
hint-wait-too-long = Geef meer --years, of minder maanden.
fault-speed-missing = Hoeveel sneller de nieuwe machine is, is niet bekend.
hint-speed-missing = Geef --speed 2.5: hoeveel keer het werk van de oude hij doet.
fault-committed-missing = De catalogus heeft geen aanbod met een vast contract voor deze machine.
hint-committed-missing = Geef --committed 1.90/h voor één versneller.
assumed-cost-wait-months = de volgende generatie over { $value } maanden
assumed-cost-next-speed = die doet { $value } keer het werk
assumed-cost-next-power = die trekt { $value } keer het vermogen
assumed-cost-next-price = die kost { $value } keer zoveel
assumed-cost-speed = de nieuwe machine doet { $value } keer het werk
why-cost-speed = De verhouding van hun geheugenbandbreedtes, waar het schrijven van tokens van afhangt. Geef --speed voor het eigen werk.
assumed-cost-committed = { $price } per versneller en uur met een vast contract, het midden van { $n ->
    [one] één aanbieder
   *[other] { $n } aanbieders
}
decide-way-buy-now = nu kopen
decide-way-wait-and-buy = huren tot de volgende generatie en die kopen
decide-way-rent-throughout = al die tijd huren
decide-way-keep = de oude machine houden
decide-way-replace = hem vervangen
decide-way-on-demand = per uur betalen
decide-way-commit = een vast contract voor alle uren
decide-verdict = Het goedkoopst is { $first }: over { $years } jaar bij { $use } benutting kost dat { $saved } minder dan { $second }{ $open ->
    [yes] , maar de invoer laat ruimte voor het andere antwoord
   *[no] {""}
}.
decide-turns-next-price = Wachten en nu kopen kosten hetzelfde als de volgende machine { $times } keer die van vandaag kost ({ $price } voor een hele).
decide-turns-use = Een vast contract loont vanaf { $use } benutting, { $hours } uur per maand.
column-way = Manier
column-total = In totaal
