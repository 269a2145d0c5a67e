### Messages of: estimate

# Waarom iets niet past: zinsdelen die op "Past niet op …:" volgen en los in limit van een antwoord staan.
limit-announced = { $part } is alleen aangekondigd
limit-engine = { $engine } ondersteunt { $part } niet
limit-precision = { $engine } draait { $precision } niet op { $part }
limit-devices = het plan vraagt { $needed } versnellers en er zijn er { $devices }
limit-stages = { $layers } lagen zijn niet zo in { $pp } pijplijnstappen te verdelen
limit-experts = { $experts } experts zijn niet over { $ep } ranks te verdelen
limit-heads = { $heads } koppen zijn niet over { $tp } versnellers te verdelen
limit-width = de matrix { $weight } is niet over { $tp } versnellers te verdelen
limit-fixed = gewichten en werkruimte hebben { $need } nodig waar de engine { $have } neemt, { $short } te weinig
limit-weights = de gewichten alleen al hebben { $need } nodig waar { $have } is, { $short } te weinig
limit-total = er is { $need } nodig waar { $have } is, { $short } te weinig
limit-kv-one-sequence = één reeks heeft { $need } aan cache nodig waar { $have } over is, { $short } te weinig
limit-sequences = de engine draait hooguit { $most } reeksen tegelijk, geen { $users }
limit-kv-users = { $users ->
    [one] één gebruiker heeft
   *[other] { $users } gebruikers hebben
} { $need } aan cache nodig waar { $have } over is, { $short } te weinig
limit-host = het werkgeheugen moet { $need } bevatten en is { $have }, { $short } te weinig
fault-engine-table = De ingebouwde feiten over engines zijn niet te lezen: { $what }. Dit is een fout van maat.
