### Berichten van: size, en wat het met advise deelt

size-fits = Past op { $machine } met { $spare } over{ $capacity ->
    [fewer] : { $users } gebruikers tegelijk, maar slechts { $most } daarvan met de volle { $context } tokens
    [enough] : { $users ->
        [one] 1 gebruiker
       *[other] { $users } gebruikers
    } met tot { $context } tokens, plaats voor { $most }
   *[unknown] : { $users ->
        [one] 1 gebruiker
       *[other] { $users } gebruikers
    } met tot { $context } tokens
}{ $speed-known ->
    [yes] , elk ongeveer { $speed }
   *[no] {""}
}.
size-fits-tight = Past net op { $machine } met { $spare } over, en in de praktijk misschien niet{ $capacity ->
    [fewer] : { $users } gebruikers tegelijk, maar slechts { $most } daarvan met de volle { $context } tokens
    [enough] : { $users ->
        [one] 1 gebruiker
       *[other] { $users } gebruikers
    } met tot { $context } tokens, plaats voor { $most }
   *[unknown] : { $users ->
        [one] 1 gebruiker
       *[other] { $users } gebruikers
    } met tot { $context } tokens
}{ $speed-known ->
    [yes] , elk ongeveer { $speed }
   *[no] {""}
}.
size-does-not-fit = Past niet op { $machine }: { $why }. { $next }
size-no-hardware = { $model } heeft { $total } nodig op één versneller{ $card ->
    [unknown] ; geen kaart uit de catalogus heeft daar plaats voor
   *[other] ; de kleinste met genoeg plaats: { $card }
}.
nothing = {""}

nearest-context = Met hooguit { $n } tokens elk past het.
nearest-users = Met { $n ->
    [one] 1 gebruiker
   *[other] { $n } gebruikers
} past het.
nearest-kv-precision = Met de cache in { $precision } past het.
nearest-experts-cpu = Met de experts in het werkgeheugen past het.
nearest-gpu-layers = Met { $n } van de { $all } lagen op de versnellers past het.
nearest-precision = Met gewichten in { $precision } past het.
nearest-count = Met { $n }x { $part } past het.

reason-weights = De gewichten nemen in { $precision } { $bytes } in.
reason-weights-split = De gewichten nemen in { $precision } { $bytes } in; elke versneller houdt er { $each } van.
reason-cache = Een token in de cache kost { $per-token }, dus { $users ->
    [one] kost één reeks van { $context } tokens { $per-sequence }
   *[other] kosten { $users } reeksen van { $context } tokens { $total } ({ $per-sequence } elk)
}.
reason-cache-pool = Een token in de cache kost { $per-token }, een reeks van { $context } tokens { $per-sequence }; in wat er van het geheugen over is passen er { $most }.
reason-state-only = Het bewaart een vaste toestand van { $state } per reeks, en geen cache die groeit.
reason-bound-memory = Het schrijven van tokens wordt geremd door de geheugenbandbreedte: elk token leest alle gewichten die meedoen.
reason-bound-compute = Het schrijven van tokens wordt geremd door rekenkracht: met zoveel gebruikers worden de gewichten goed hergebruikt.
reason-bound-network = Het schrijven van tokens wordt geremd door de verbindingen tussen versnellers.
reason-bound-launch = Het schrijven van tokens wordt geremd door het starten van veel kleine bewerkingen, niet door de hardware.
reason-bound-cpu = Het schrijven van tokens wordt geremd door de processor.
reason-bound-storage = Het schrijven van tokens wordt geremd door de opslag.
reason-replicas-faster = { $replicas } kopieën naast elkaar bedienen { $gain } meer dan { $other-replicas ->
    [one] één kopie die
   *[other] { $other-replicas } kopieën die
} verder opgedeeld is.
reason-split-faster = In { $ways } delen bedient het { $gain } meer dan { $other-replicas } kopieën naast elkaar.
reason-nothing-near = Geen kleine wijziging doet het passen: niet minder gebruikers, minder context, kleinere types of een paar kaarten meer.

assumed-users = { $n ->
    [one] 1 gebruiker
   *[other] { $n } gebruikers
}
assumed-input = { $n ->
    [one] 1 token in
   *[other] { $n } tokens in
}
assumed-output = { $n ->
    [one] 1 token uit
   *[other] { $n } tokens uit
}
assumed-context = { $n ->
    [one] plaats voor 1 token elk
   *[other] plaats voor { $n } tokens elk
}
assumed-precision = gewichten in { $precision }
assumed-kv-precision = cache in { $precision }
assumed-engine = engine { $engine }
assumed-engine-version = { $engine } { $version }
assumed-tp = elke matrix over { $n ->
    [one] één versneller
   *[other] { $n } versnellers
}
assumed-pp = { $n ->
    [one] geen pijplijn
   *[other] { $n } pijplijnstappen
}
assumed-replicas = { $n ->
    [one] één kopie
   *[other] { $n } kopieën
}

why-default = De standaard; er is niets anders gezegd.
why-checkpoint = Zo is het checkpoint opgeslagen.
why-kv-dtype = Het type waarin het model rekent.
why-context-input-output = De prompt en het antwoord samen.
why-fastest-that-fits = De snelste verdeling die past.
why-engine-gguf = Het model is in een GGUF-type, dat llama.cpp draait.
why-engine-cpu = Op processors is llama.cpp de gebruikelijke engine.
why-engine-edge = Op een eigen apparaat is llama.cpp de gebruikelijke engine.
why-engine-offload = Alleen llama.cpp houdt zoals gevraagd een deel van het model in het werkgeheugen.
why-engine-vllm = vLLM ondersteunt deze versnellers.
why-engine-apple = Op chips van Apple is llama.cpp de gebruikelijke engine.
why-engine-rest = Geen andere engine ondersteunt deze versnellers.
why-commonest-of-name = Het gangbaarste onderdeel met die naam; er is ook { $others }.

size-accelerator-each = Op elk van { $count } versnellers is { $needed } van { $capacity } GiB nodig:
size-accelerator-one = Van { $capacity } GiB is { $needed } nodig:
size-accelerator-open = Op één versneller is { $needed } GiB nodig:
size-tried = { $count }x: { $fits ->
    [yes] past
   *[no] past niet
}
size-tried-label = Geprobeerd
size-next-advise = De goedkoopste hardware die het doet:
size-next-gpu = Past het op een machine, en hoe snel is het:

part-weights = gewichten
part-kv-cache = cache
part-state = toestand
part-activations = activaties
part-gradients = gradiënten
part-optimizer = optimizer
part-adapters = adapters
part-reference = referentiemodel
part-workspace = werkruimte
part-framework = framework

column-figure = Cijfer
column-likely = Verwacht
column-range = 80%-marge
column-basis = Grondslag
column-card = Kaart
column-free = Vrij
column-plan = Plan
column-fits = Past
basis-computed = berekend
basis-estimated = geschat
fits-yes = ja
fits-no = nee

figure-memory-each = Geheugen, elke versneller
figure-memory-all = Geheugen, alle versnellers
figure-reserved = Door de engine genomen, elk
figure-host-ram = Werkgeheugen
figure-disk = Opslag
figure-sequences = Volle reeksen tegelijk
figure-ttft = Tijd tot eerste token
figure-tpot = Tijd per uitvoertoken
figure-decode = Uitvoer, elke gebruiker
figure-throughput = Uitvoer, alle gebruikers
figure-prefill = Eén prompt lezen
figure-power = Vermogen bij dit werk
column-capacity = Capaciteit
column-tokens-per-s = Tokens/s

reason-bound-cache = Het schrijven van tokens wordt geremd door de geheugenbandbreedte: elk token leest de cache van zijn reeks, en samen is dat meer dan de gewichten.
reason-bound-unpacking = Het schrijven van tokens wordt geremd door rekenwerk: de gewichten uitpakken duurt langer dan ze lezen.
nearest-network = Met de nodes verbonden via { $network } past het.

size-explain-label = Hoe de snelheid tot stand kwam
reason-speed-needs-processor = De snelheid is niet bekend: de host doet een deel van het werk, en de processor daarvan is niet gegeven (--cpu).
reason-speed-needs-configuration = De snelheid is niet bekend: er zijn alleen tensors gelezen, en een config.json zou zeggen wat er wordt berekend.
reason-speed-needs-figures = De snelheid is niet bekend: bandbreedte of rekenkracht van { $machine } is dat ook niet.

size-room-unknown = Op { $machine } vraagt het { $need } geheugen, en hoeveel er is, is niet opgegeven (--ram){ $speed-known ->
    [yes] ; ongeveer { $speed }
   *[no] { "" }
}.

### Beelden en filmpjes

size-fits-items = Past op { $machine } met { $spare } over: ongeveer { $rate } { $item ->
    [clip] filmpjes
   *[image] beelden
} per seconde, { $time } per batch.
size-fits-items-only = Past op { $machine }, waar het { $need } kost; hoe snel het daar is, is niet bekend.
size-does-not-fit-items = Past niet op { $machine }: { $why }.
size-needs-items = { $model } heeft een versneller met { $need } nodig.
limit-items = het kost { $need } en er is { $have }: { $short } te kort
reason-items-weights = De gewichten kosten { $bytes } in { $precision }{ $pipeline ->
    [yes] , tekstencoders en autoencoder meegeteld
   *[no] {""}
}.
reason-items-diffusion = Een beeld kost { $total } TFLOP (vermenigvuldigen en optellen tellen als twee): { $runs } keer de ruisverwijderaar van elk { $run }, { $decode } om de latents te decoderen, { $text } voor de prompt.
reason-items-run = Een beeld kost { $giga } GFLOP (vermenigvuldigen en optellen tellen als twee).
reason-items-compute = Rekenwerk houdt het tegen: een grotere batch dan { $batch } levert weinig op.
reason-items-memory = Geheugenbandbreedte houdt het tegen: een grotere batch dan { $batch } kan meer opleveren.
reason-items-launch = Het starten van kernels houdt het tegen: zet --batch hoger dan { $batch } of draai het als graph.
assumed-items-size = beelden van { $size } pixels
assumed-items-size-model = beelden van de grootte die het modelbestand noemt
assumed-items-batch = { $n } { $n ->
    [one] beeld
   *[other] beelden
} tegelijk
assumed-items-steps = { $n } stappen
assumed-items-frames = { $n } frames
assumed-items-guidance = { $n ->
    [one] één keer de ruisverwijderaar per stap
   *[other] { $n } keer de ruisverwijderaar per stap (guidance)
}
assumed-items-words = een prompt van { $n } tokens
why-pipeline = Wat de pipeline van het model doet als niets gezegd is.
fault-image-size-malformed = { $given } is geen beeldgrootte.
hint-image-size-malformed = Geef een zijde in pixels, 1024, of hoogte x breedte: 544x960; hooguit 65.536.
fault-image-size-fixed = { $model } noemt zijn eigen beeldgrootte, en met een andere wordt niet gerekend.
hint-image-size-fixed = Laat --image-size weg.
fault-count-out-of-range = { $given } is meer of minder dan waarmee gerekend kan worden.
hint-count-out-of-range = Geef 1 tot { $most }.
reason-items-offload = De tekstencoders wachten in het hostgeheugen en komen er per prompt even bij, voor de ruisverwijderaar.
reason-items-cached = De tekstencoders worden niet geladen: prompts zijn al gecodeerd.
nearest-text-encoders = Met de tekstencoders in het hostgeheugen past het.
nearest-vae-tiling = Met latents die tegel voor tegel gedecodeerd worden past het.
size-items-memory-unknown = Op { $machine } kost het { $need } geheugen, en hoeveel er is werd niet gezegd (--ram); ongeveer { $rate } { $item ->
    [clip] filmpjes
   *[image] beelden
} per seconde.
assumed-items-text-encoders = tekstencoders blijven op de versneller
