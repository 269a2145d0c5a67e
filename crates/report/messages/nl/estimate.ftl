### Messages of: estimate

# Waarom iets niet past: zinsdelen die op "Past niet op …:" volgen en los in limit van een antwoord staan.
limit-announced = { $part } is alleen aangekondigd
limit-engine = { $engine } ondersteunt { $part } niet
limit-precision = { $engine } draait { $precision } niet op { $part }
limit-cache-precision = { $engine } bewaart op { $part } geen cache in { $precision }
limit-cache-flash = llama.cpp pakt waarden in de cache alleen als { $precision } in met flash attention
limit-devices = het plan vraagt { $needed } versnellers en er zijn er { $devices }
limit-nodes = één kopie van het model vraagt { $needed } versnellers en een node heeft er { $devices }: ze beslaat nodes die niet verbonden zijn (--network verbindt ze)
limit-stages = { $layers } lagen zijn niet zo in { $pp } pijplijnstappen te verdelen
limit-experts = { $experts } experts zijn niet over { $ep } ranks te verdelen
limit-heads = { $heads } koppen zijn niet over { $tp } versnellers te verdelen
limit-width = de matrix { $weight } is niet over { $tp } versnellers te verdelen
limit-weights = { $place ->
    [host] de gewichten alleen al vragen { $need } geheugen en er is { $have }: { $short } te weinig
   *[card] de gewichten alleen al vragen { $need } op elke kaart, die { $have } heeft: { $short } te weinig
}
limit-total = { $place ->
    [host] gewichten, cache en werkruimte vragen { $need } geheugen en er is { $have }: { $short } te weinig
   *[card] gewichten, cache en werkruimte vragen { $need } op elke kaart, die { $have } heeft: { $short } te weinig
}
limit-fixed = gewichten ({ $weights }) en werkruimte vragen { $need } van elke kaart, waarvan de engine { $have } neemt: { $short } te weinig
limit-kv-one-sequence = één reeks van de volle context vraagt { $need } cache op elke kaart, waar { $have } over is: { $short } te weinig
limit-sequences = de engine draait hooguit { $most } reeksen tegelijk, geen { $users }
limit-kv-users = { $users ->
    [one] één gebruiker vraagt
   *[other] { $users } gebruikers tegelijk vragen
} { $need } cache op elke kaart, waar { $have } over is: { $short } te weinig
limit-host = het werkgeheugen moet { $need } bevatten en er is { $have }: { $short } te weinig
fault-engine-table = De ingebouwde feiten over engines zijn niet te lezen: { $what }. Dit is een fout van maat.

# Wat een engine beslist als niemand iets anders zegt.
assumed-memory-fraction = { $share } van elke kaart voor de engine
assumed-max-batched-tokens = stappen van hooguit { $n } tokens
assumed-max-num-seqs = hooguit { $n } reeksen tegelijk
assumed-ubatch = microbatches van { $n } tokens
why-engine-default = { $engine } stelt het zo in op deze hardware ({ $source })
