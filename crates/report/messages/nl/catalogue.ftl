### Messages of: catalogue

# Names
fault-accelerator-unknown = De catalogus kent geen versneller { $name }.
hint-accelerator-unknown = Namen die erop lijken: { $nearest }. Een eigen kaart: --gpu-like "RTX 3080" --vram 20GB.
fault-cpu-unknown = De catalogus kent geen processor { $name }.
hint-cpu-unknown = Namen die erop lijken: { $nearest }. Of geef --cpu "8 cores" --cpu-bandwidth 50GB/s.
fault-part-unknown = De catalogus kent geen versneller, processor of server { $name }.
fault-vendor-unknown = De catalogus kent geen fabrikant { $given }.
hint-vendor-unknown = Bekend zijn { $known }.

# Hardware of a request
fault-gpu-empty = --gpu noemt geen onderdeel.
hint-gpu-empty = Schrijf een naam, zoals --gpu "2x RTX 4090".
fault-gpu-count = { $given } is geen aantal onderdelen.
hint-gpu-count = Schrijf 8x NAAM, of ?x NAAM voor het kleinste aantal dat past.
fault-gpu-open-and-mixed = Het aantal kan alleen open blijven (?x) als alle onderdelen van één soort zijn.
fault-gpu-like-missing = { $flag } heeft een onderdeel nodig waar het eigen onderdeel op lijkt.
hint-gpu-like-missing = Voeg --gpu-like "RTX 3080" toe, of een andere naam uit de catalogus.
fault-hardware-amount-zero = { $flag } moet groter zijn dan 0.
fault-tflops-no-base = Het onderdeel van --gpu-like heeft geen 16-bitsnelheid die --tflops kan schalen.
fault-slices-none = { $part } kan niet worden verdeeld in delen zoals { $profile }.
fault-slice-unknown = { $part } heeft geen deel { $profile }.
hint-slice-unknown = Er is { $profiles }.
fault-here-not-looked = Naar deze machine is niet gekeken.
hint-here-not-looked = Gebruik --here op de opdrachtregel, of noem de onderdelen, zoals --gpu "2x RTX 4090" --ram 64GB.
fault-cpu-sockets = { $cpu } werkt in machines met ten hoogste { $most } { $most ->
    [one] socket
   *[other] sockets
}.
fault-cpu-missing = { $flag } moet weten welke processors er zijn.
hint-cpu-missing = Voeg --cpu "2x Xeon Platinum 8592+" of --cpu "8 cores" toe.
fault-cpu-clock-unknown = De klokfrequentie van { $cpu } is niet bekendgemaakt.
hint-cpu-clock-unknown = Geef in plaats daarvan het aantal kernen, zoals --cpu "96 cores".
fault-threads-zero = --threads moet ten minste 1 zijn.
fault-storage-unknown = { $given } is geen soort opslag.
hint-storage-unknown = Gebruik nvme, ssd, hdd, network, of een snelheid zoals 3GB/s.
fault-link-unavailable = { $machine } heeft geen verbinding { $link }.
hint-link-unavailable = Gebruik auto, nvlink waar de onderdelen dat hebben, een breedte zoals pcie5x16, of een snelheid zoals 50GB/s.
fault-network-unknown = { $given } is geen netwerk.
hint-network-unknown = Schrijf poorten en snelheid, zoals 8x400Gb of 40GbE.
fault-power-limit-range = { $part } kan alleen worden begrensd tussen { $low } en { $high }.
fault-power-limit-above = { $part } neemt ten hoogste { $high }; een hogere grens doet niets.
assumed-part = { $given } gelezen als { $part }
assumed-link = verbonden met { $link }
assumed-devices = { $part } telt als { $n } versnellers
assumed-vram = { $bytes } geheugen
assumed-ram = { $bytes } werkgeheugen
assumed-tflops = TFLOP/s van { $number } met optelling in { $accumulate }
assumed-usual-cores = kernen met AVX2 op { $ghz } GHz
why-label = GB op een geheugenchip betekent 2^30 bytes.
why-link-own = De verbinding die de onderdelen van zichzelf hebben.
why-link-bridge = { $bridge } is apart te koop; daarmee: --link nvlink.
why-devices = De machine meldt de chips als aparte apparaten.
why-tflops = De bekende 16-bitsnelheid die er het dichtst bij ligt.
why-usual-cores = Verder is er niets van bekend.

# Verbs
verdict-list-accelerators = { $n ->
    [0] Geen versneller voldoet daaraan.
    [one] Eén versneller.
   *[other] { $n } versnellers.
}
verdict-list-cpus = { $n ->
    [0] Geen processor voldoet daaraan.
    [one] Eén processor.
   *[other] { $n } processors.
}
verdict-list-servers = { $n ->
    [0] Geen server voldoet daaraan.
    [one] Eén server.
   *[other] { $n } servers en cloudmachines.
}
verdict-show = { $name }: wat ervan bekend is, met de bronnen.
verdict-compare-leader = { $name } wint op { $n ->
    [one] één punt
   *[other] { $n } punten
}: { $metrics }.
verdict-compare-even = Geen onderdeel wint op meer punten dan de andere.
verdict-offers = { $n ->
    [one] Eén aanbod
   *[other] { $n } aanbiedingen
}; het goedkoopst is { $part } bij { $provider } voor { $price } per uur per versneller.
verdict-offers-none = Geen aanbod voldoet daaraan.
verdict-lint = { $errors ->
    [0] Geen fouten
    [one] Eén fout
   *[other] { $errors } fouten
} en { $warnings ->
    [0] geen waarschuwingen
    [one] één waarschuwing
   *[other] { $warnings } waarschuwingen
} in de gegevens.
verdict-lint-clean = De gegevens zijn in orde{ $infos ->
    [0] .
    [one] ; één opmerking.
   *[other] ; { $infos } opmerkingen.
}
verdict-export = { $n ->
    [one] Eén bestand met gegevens.
   *[other] { $n } bestanden met gegevens.
}
fault-compare-count = Vergelijken kan met twee tot { $most } namen.
hint-compare-count = Bijvoorbeeld: maat catalogue compare H100 MI300X.
fault-facts-path-unknown = Onder de gegevens is geen bestand of map { $path }.
hint-facts-path-unknown = De mappen zijn hardware, offers, prices, electricity en carbon.

# Figures that are compared
metric-capacity-bytes = geheugen
metric-bandwidth-bytes-per-s = geheugenbandbreedte
metric-fp64-flop-per-s = FP64
metric-fp32-flop-per-s = FP32
metric-tf32-flop-per-s = TF32
metric-fp16-flop-per-s = FP16
metric-bf16-flop-per-s = BF16
metric-fp8-flop-per-s = FP8
metric-fp4-flop-per-s = FP4
metric-int8-op-per-s = INT8
metric-cache-bytes = cache
metric-peer-link-bytes-per-s = verbinding onderling
metric-pcie-bytes-per-s = PCIe
metric-power-w = vermogen
metric-bf16-flop-per-j = BF16 per joule
metric-bandwidth-bytes-per-j = bandbreedte per watt
metric-rent-hourly = huur per uur
metric-purchase = aankoop

# Why an offer is not ranked
unranked-average = De prijs is een gemiddelde over aanbiedingen.
unranked-announced = Het onderdeel is nog niet te krijgen.

# Files of facts
fault-facts-folder-unreadable = Dit is geen map die gelezen kan worden.
hint-facts-folder-unreadable = Geef een map met de indeling van facts/, met bijvoorbeeld offers/own.csv erin.
fault-facts-folder-empty = In deze map staan geen gegevens.
hint-facts-folder-empty = Er horen mappen zoals offers, hardware of prices met CSV-bestanden in.
fault-facts-file-unreadable = Dit bestand kan niet worden gelezen.
fault-facts-file-too-large = Dit bestand is te groot voor gegevens.
fault-facts-file-not-text = Dit bestand is geen tekst in UTF-8.
fault-facts-too-many-files = In deze map staan te veel bestanden.
fault-facts-column-missing = De kolom { $column } ontbreekt.
fault-facts-row-uneven = De rij heeft { $found } velden, de kop { $expected }.
fault-facts-value-not-positive = { $field } is { $value } en moet groter zijn dan 0.
fault-facts-value-bad = { $value } is geen zinnige waarde voor { $field }.
fault-facts-field-empty = Het veld { $field } is leeg.

# Findings of the lint
finding-facts-unreadable = Een rij kan niet worden gelezen: { $what }
finding-identifier-twice = Het kenmerk komt twee keer voor.
finding-part-not-there = Een rij noemt een onderdeel dat er niet is.
finding-source-not-listed = De bron staat niet in de lijst van bronnen.
finding-alias-clash = De naam { $name } betekent meer onderdelen en geen ervan, of meer dan één, heeft de voorkeur.
finding-rate-does-not-follow = { $figure } wijkt { $off } af van wat multiprocessors, bewerkingen per klok en klokfrequentie geven.
finding-bandwidth-does-not-follow = De { $figure } wijkt { $off } af van wat busbreedte en datasnelheid geven.
finding-memory-not-of-label = Het stuurprogramma meldt { $reported }, op het etiket staat { $label }.
finding-slices-exceed-part = Alle delen van dit profiel samen zijn meer dan het onderdeel.
finding-value-impossible = Geen onderdeel heeft zo'n waarde voor { $figure }.
finding-released-ahead = Het is niet als aangekondigd gemerkt, maar de verschijningsdatum ligt in de toekomst.
finding-claims-contradict = Een andere bron heeft voor { $figure } een waarde die { $off } afwijkt van de gebruikte.
finding-claims-two-preferred = Van één waarde hebben twee opgaven de voorkeur.
finding-spot-above-on-demand = Spot kost { $spot } en op aanvraag maar { $on-demand }.
finding-offer-memory-mismatch = Geen onderdeel met de naam { $accelerator } heeft het geheugen dat het aanbod noemt.
finding-offer-twice = Het aanbod komt twee keer voor.
finding-offer-price-inconsistent = De prijs van één versneller is niet de prijs gedeeld door het aantal.
finding-price-without-date = { $n ->
    [one] Eén prijs heeft geen datum
   *[other] { $n } prijzen hebben geen datum
}; zonder datum komt een prijs nooit in een rangorde.
finding-price-without-source = { $n ->
    [one] Eén prijs heeft geen bron.
   *[other] { $n } prijzen hebben geen bron.
}
finding-prices-old = { $n ->
    [one] Eén prijs is ouder dan { $days } dagen.
   *[other] { $n } prijzen zijn ouder dan { $days } dagen.
}
finding-prices-too-old = { $n ->
    [one] Eén aanbod is weggelaten omdat de prijs te oud is.
   *[other] { $n } aanbiedingen zijn weggelaten omdat hun prijzen te oud zijn.
}
finding-offer-not-ranked = { $n ->
    [one] Eén aanbod staat apart: onderdeel, vorm of prijsdatum is niet bekend.
   *[other] { $n } aanbiedingen staan apart: onderdeel, vorm of prijsdatum is niet bekend.
}

# Pagina's
list-more = … en nog { $n }; --explain toont alles, --format csv en --json ook.
list-not-known = Niet bekend van: { $names }.
list-next-show = Alles wat van de eerste bekend is:
offers-next-show = Alles wat van de goedkoopste bekend is:
offers-apart-label = Niet gerangschikt:
offers-apart = { $accelerator } bij { $provider }: { $why }
compare-legend = * de beste, of even goed als de beste
compare-next-size = Past er een model op, en hoe snel is het:
export-next-one = Eén bestand zoals het is, om te wijzigen en met --facts eroverheen te leggen:
state-announced = aangekondigd
show-rate = { $number } dicht, som in { $accumulate }
show-unsure = Niet zeker: { $what }
show-other-rate = { $number }: { $source } heeft { $rate }; niet gebruikt: { $why }
show-other-claim = { $figure }: { $source } heeft { $value }; niet gebruikt: { $why }
show-vendor = Maker
show-architecture = Architectuur
show-form = Vorm
show-released = Uitgebracht
show-memory-label-bytes = Geheugen, label
show-capacity-bytes = Geheugen volgens de driver
show-memory-type = Soort geheugen
show-bandwidth-bytes-per-s = Geheugenbandbreedte
show-power-w = Vermogen
show-peer-link-bytes-per-s = Verbinding met buren
show-pcie-bytes-per-s = PCIe, één richting
show-mig = Delen (MIG)
show-names = Ook bekend als
show-generation = Generatie
show-cores = Rekenkernen
show-threads = Threads
show-clock-hz = Klok, alle kernen
show-simd = Instructies
show-memory-channels = Geheugenkanalen
show-max-sockets = Hoogste aantal sockets
show-unsure-label = Niet zeker
show-kind = Soort
show-accelerators = Versnellers
show-link = Verbinding
show-cpu = Processors
show-ram-bytes = Werkgeheugen
show-storage = Opslag
show-network = Netwerk
show-power-supply = Voedingen
show-max-power-w = Vermogen bij volle belasting
show-cooling = Koeling
column-name = Naam
column-memory = Geheugen
column-bandwidth = Bandbreedte
column-bf16 = BF16
    TFLOP/s
column-fp8 = FP8
    TFLOP/s
column-power = Vermogen
column-state-of-sale = Noot
column-cores = Kernen
column-simd = Instructies
column-accelerators = Versnellers
column-accelerator = Versneller
column-provider = Aanbieder
column-count = Aantal
column-hourly-each = Per uur,
    elk
column-kind = Soort
column-region = Regio
column-price-date = Peildatum
column-value = Waarde
column-source = Bron
column-purchase = Te koop
column-price = Prijs
column-table = Tabel
column-rows = Rijen
column-file = Bestand
basis-measured = gemeten
basis-vendor = fabrikant

kind-on-demand = op aanvraag
kind-spot = spot
kind-marketplace = marktplaats
kind-committed = vast contract
kind-purchase = aanschaf
kind-list = lijstprijs
kind-launch-list = lijstprijs bij introductie
kind-reseller-list = lijstprijs wederverkoper
kind-1ku-list = lijstprijs per 1.000
kind-msrp = adviesprijs
kind-hub-page-msrp = adviesprijs (pagina maker)
kind-street = straatprijs
kind-used-street = tweedehands straatprijs
kind-analyst-estimate = schatting analist
kind-press-estimate = schatting pers

verdict-history = { $unit ->
    [hour] Een uur
   *[piece] Eén
} { $part } ({ $kind }) kostte { $last } in { $to } (het midden van { $m }), en { $first } in { $from } (van { $n }).
verdict-history-once = { $unit ->
    [hour] Een uur
   *[piece] Eén
} { $part } ({ $kind }) kostte { $last } in { $to }; eerdere prijzen zijn niet bekend.
verdict-history-none = Van { $part } zijn geen gedateerde prijzen bekend.
history-kind-on-demand = op aanvraag
history-kind-spot = spot
history-kind-marketplace = marktplaats
history-kind-committed = met een termijn
history-kind-average = gemiddelden en indexen
history-kind-street = straatprijs
history-kind-used-street = tweedehands
history-kind-launch-list = adviesprijs bij introductie
history-kind-other = { $kind }
history-heading-rent = Eén huren voor een uur, { $kind }: per maand, van elke aanbieder de goedkoopste
history-heading-purchase = Eén kopen, { $kind }: per kwartaal
history-more = { $n ->
    [one] Eén eerdere periode staat
   *[other] { $n } eerdere perioden staan
} onder --explain.
history-change-up = { $n ->
    [one] De ene aanbieder
   *[other] De { $n } aanbieders
} met prijzen die minstens 90 dagen uit elkaar liggen { $n ->
    [one] vroeg
   *[other] vroegen
} na { $months } maanden { $change } meer (de middelste); nieuwkomers tellen hierin niet mee.
history-change-down = { $n ->
    [one] De ene aanbieder
   *[other] De { $n } aanbieders
} met prijzen die minstens 90 dagen uit elkaar liggen { $n ->
    [one] vroeg
   *[other] vroegen
} na { $months } maanden { $change } minder (de middelste); nieuwkomers tellen hierin niet mee.
history-brief-rent = Eén huren voor een uur, { $kind }: { $price } in { $period } ({ $n ->
    [one] één prijs
   *[other] het midden van { $n } prijzen
}){ $periods ->
    [one] {""}
   *[other] ; { $periods } perioden staan onder --explain
}.
history-brief-purchase = Eén kopen, { $kind }: { $price } in { $period } ({ $n ->
    [one] één prijs
   *[other] het midden van { $n } prijzen
}){ $periods ->
    [one] {""}
   *[other] ; { $periods } perioden staan onder --explain
}.
history-next-path = Huren of kopen, als de huur zo doorgaat:
history-picture-rent = Prijs van een uur in de loop van de tijd
history-picture-purchase = Aanschafprijs in de loop van de tijd
column-period = Periode
column-history-bar = Laag tot hoog, midden gevuld
column-median = Midden
column-prices = Prijzen
finding-history-form-unstated = { $n ->
    [one] Eén prijs uit het verleden zegt
   *[other] { $n } prijzen uit het verleden zeggen
} niet van welke uitvoering die is, en { $n ->
    [one] telt
   *[other] tellen
} hier mee.
finding-history-unreadable = Deze map met bewaarde prijzen is niet leesbaar; de prijzen erin tellen niet mee.
