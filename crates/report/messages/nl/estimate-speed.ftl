# Feiten over snelheden die niet te lezen zijn.
fault-speed-parameter-unknown = De parameter "{ $name }" van facts/speed is onbekend, of de waarde is geen getal.
fault-speed-fact-malformed = Een rij van facts/speed is niet te lezen: { $why }
