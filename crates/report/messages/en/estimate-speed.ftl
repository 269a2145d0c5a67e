# Facts about speeds that cannot be read.
fault-speed-parameter-unknown = The parameter "{ $name }" of facts/speed is not known, or its value is not a number.
fault-speed-fact-malformed = A row of facts/speed cannot be read: { $why }
