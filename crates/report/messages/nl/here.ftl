### Berichten van: here, bench

here-machine = { $name } met { $cores } bruikbare kernen en { $memory } geheugen
here-runs-well = { $machine } draait modellen tot en met { $model } in { $precision } goed, met ongeveer { $rate } voor één gebruiker.
here-holds = { $machine } heeft plaats voor modellen tot en met { $model } in { $precision }{ $known ->
    [yes] , maar geen van de geprobeerde modellen schrijft zo snel als iemand leest
   *[no] ; hoe snel is pas bekend na een meting
}.
here-holds-nothing = { $machine } heeft plaats voor geen van de geprobeerde modellen.
here-nothing-seen = Van deze machine was niets te lezen.
here-processor = { $sockets ->
    [one] Processor
   *[other] { $sockets } processors
} { $name }: { $cores } kernen, { $threads } threads, { $simd }{ $cache ->
    [0] {""}
   *[other] , cache van het laatste niveau { $cache }
}
here-memory = Geheugen { $total }, { $speed }
here-speed-unknown = snelheid onbekend
here-speed-measured = leest { $rate } (hier gemeten)
here-speed-computed = ten hoogste { $rate } (volgens de kanalen)
here-accelerator = { $count } x { $name }, elk { $memory }
here-container = In een container ({ $kind })
here-virtual = Een virtuele machine{ $product ->
    [none] {""}
   *[other] {" "}({ $product })
}
here-wsl = In WSL { $version }
here-disk = Schijf { $name }: { $bytes }, { $kind ->
    [nvme] NVMe
    [ssd] SSD
    [hdd] harde schijf
    [virtual] getoond door de host, soort onbekend
   *[unknown] soort onbekend
}
here-port = Netwerk { $name }: { $rate }
here-runs-heading = Wat ze draait (1 gebruiker, 1.024 tokens in, 256 uit)
here-column-model = model
here-column-precision = precisie
here-column-gib = GiB
here-column-decode = tokens/s
here-column-decode-range = 80%-bereik
here-column-prefill = prompttokens/s
here-next-size = Eén hiervan van dichterbij
here-next-bench = Deze machine meten: duurt minder dan 20 seconden, daarna rusten snelheden op eigen cijfers
assumed-here-rates = rekensnelheid van de processor naar zijn instructiesets ({ $simd } op { $ghz } GHz)
assumed-here-card = { $card } alleen naar zijn geheugen
why-here-unknown = staat niet in de catalogus
bench-verdict = { $machine } vermenigvuldigt { $flops } in FP32 en leest { $read } uit het geheugen.
bench-nothing = Er was te weinig vrij geheugen om deze machine te meten.
bench-product = Matrixvermenigvuldiging, { $number }
bench-memory-read = Geheugen, lezen
bench-memory-triad = Geheugen, triade
bench-cache = Cache, niveau { $level }
bench-disk-write = Schijf, schrijven
bench-disk-read = Schijf, lezen
bench-disk-random = Schijf, willekeurige leesacties/s
bench-gpu-product = Matrixvermenigvuldiging, bf16
bench-gpu-copy = GPU-geheugen, kopiëren
bench-gpu-host = Van host naar GPU
bench-gpu-peer = Van GPU naar GPU
bench-column-what = wat
bench-column-how = hoe
bench-column-measured = gemeten
bench-column-spread = spreiding
bench-column-catalogue = piek volgens catalogus
bench-column-share = aandeel
bench-disk-cached = Lezen van de schijf is niet gemeten: op dit bestandssysteem is de paginacache niet te omzeilen.
bench-gpu-untested = De meting van GPU's is nog nooit op een GPU beproefd: ga voorzichtig met de cijfers om.
bench-stored = Bewaard in { $file } voor --here.
bench-next = Wat deze machine kan draaien, met deze cijfers
fault-facts-row-malformed = Een regel van de feiten is niet te lezen: { $why }.
fault-bench-not-stored = De cijfers konden niet worden bewaard: { $why }.
hint-bench-not-stored = Maak de map beschrijfbaar, stel XDG_DATA_HOME in, of gebruik --no-store.

finding-cores-limited-by-quota = Een quotum laat { $cpus } van { $threads } processors over: de rest is er wel en mag niet worden gebruikt.
fix-cores-limited-by-quota = Verhoog de CPU-limiet van de container, als het werk daarin moet draaien.
finding-memory-limit = Een limiet laat { $limit } van { $total } geheugen over; wat daarboven komt, wordt afgebroken.
fix-memory-limit = Verhoog de geheugenlimiet van de container, als het model daarin moet draaien.
finding-steal-time = { $share } van de processortijd ging naar andere gasten van de host.
fix-steal-time = Neem een instantie met eigen kernen, of meet opnieuw op een rustiger moment.
finding-pcie-lanes-fewer = De kaart heeft { $lanes } van haar { $most } PCIe-lanes.
fix-pcie-lanes-fewer = Zet haar in een slot met alle lanes, en kijk of een NVMe-schijf ze deelt; zonder belasting leveren sommige kaarten lanes in om stroom te sparen.
finding-processor-not-in-catalogue = De catalogus kent deze processor niet: cijfers rusten op wat hij van zichzelf zegt.
finding-memory-speed-unknown = Hoe snel het geheugen is was niet te lezen; snelheden op de processor zijn daarom onbekend.
fix-memory-speed-unknown = Meet het, of geef --cpu-bandwidth op.
finding-governor-powersave = De frequentieregelaar staat op powersave.
fix-governor-powersave = Zet hem op performance en meet beide: bij sommige stuurprogramma's maakt het geen verschil.
finding-bench-noisy = Herhalingen verschillen tot { $spread }: er draaide intussen iets anders.
fix-bench-noisy = Meet opnieuw op een rustige machine.
finding-bench-throttled = Een quotum hield de meting in { $periods } perioden tegen: de cijfers zijn wat de container krijgt, in stoten.
fix-bench-throttled = Meet buiten de container om te weten wat de machine kan.
finding-bench-slows-down = Aan het eind deed de processor { $loss } minder dan aan het begin.
fix-bench-slows-down = Warmte, een vermogensgrens of een buurman: kijk naar koeling en energie-instellingen, en meet opnieuw; de cijfers hierboven zijn die van de eerste seconden.
finding-bench-thermal-throttling = Tijdens de meting remde warmte de processor { $events } keer af.
fix-bench-thermal-throttling = Verbeter de koeling: lange klussen zullen trager zijn dan deze cijfers.
advise-here = Deze machine kan het: { $machine }{ $what ->
    [token] , { $figure } per token
    [train] , traint met { $figure }
    [time] , klaar in { $figure }
    [items] , { $figure } items per seconde
   *[unknown] {""}
}; { $others ->
    [0] verder is niets gevonden
    [one] één andere kandidaat staat ter vergelijking in de lijst
   *[other] { $others } andere staan ter vergelijking in de lijst
}.
reason-here = { $known ->
    [yes] Ze is er al: een uur werk kost { $hourly } aan stroom.
   *[no] Ze is er al: wat ze verder kost, is haar stroom, en hoeveel ze verbruikt is niet bekend.
}
reason-here-gain = { $machine }, de beste van de andere, { $what ->
    [tokens] schrijft voor één gebruiker { $times } keer zo snel als deze machine en in totaal { $all } keer zoveel{ $prompt ->
        [yes] {""}, en leest prompts { $prefill } keer zo snel
       *[no] {""}
    }
    [train] traint { $times } keer zo snel als deze machine
    [items] doet { $times } keer zoveel als deze machine
   *[finish] is { $times } keer zo snel klaar als deze machine
}; daar is { here-bound } de grens.
here-with-gain = Deze machine met { $machine } zou { $what ->
    [tokens] voor één gebruiker { $times } keer zo snel schrijven en in totaal { $all } keer zoveel{ $prompt ->
        [yes] {""}, en prompts { $prefill } keer zo snel lezen
       *[no] {""}
    }
    [train] { $times } keer zo snel trainen
    [items] { $times } keer zoveel doen
   *[finish] { $times } keer zo snel klaar zijn
}; dan is { here-bound } de grens.
here-with = Deze machine met { $machine } zou het kunnen.
here-with-misses = Deze machine met { $machine } zou het niet kunnen: { $why }.
here-misses = Deze machine, { $machine }, kan het niet: { $why }.
here-bound = { $bound ->
    [compute] de rekenkracht
    [memory] de geheugenbandbreedte
    [network] de verbinding tussen versnellers
    [launch] het starten van veel kleine bewerkingen
    [cpu] de processor
   *[storage] de schijf
}
column-gain = Keer
    hier
miss-here-speed = het past, maar hoe snel is pas bekend als maat bench heeft gemeten
miss-here-training = hoe snel een processor traint, wordt niet voorspeld
miss-here-no-plan = het werk is er niet over te verdelen
fault-here-nothing-to-compute-on = Van deze machine was niets te lezen dat rekent.
hint-here-nothing-to-compute-on = Beschrijf haar: --cpu "8 cores" --ram 32GB, of --gpu.
cpu-here = Er is geen GPU nodig: de processor van deze machine, { $machine }, doet het werk.
gpu-here = Deze machine heeft een GPU die het werk doet: { $machine }.
