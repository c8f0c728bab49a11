/** Fifty queries as visitors type them. */
export const queries = [
  ..."boats on a stormy sea|a mother and her child|old silver|paper|portrait of a woman|oil on canvas|a cat|trees in winter|bronze".split("|"),
  ..."people dancing at night|a red chair|glass vase with flowers|the harbor at sunset|Japanese woodblock print|steel mill at night".split("|"),
  ..."photographs of workers in the 1930s|silver from the late 18th century|something to drink tea from|a seat made of bent wood".split("|"),
  ..."factories and smoke over the river|a bridge|horses|child with a dog|still life with fruit|poster for the theater|lace|war".split("|"),
  ..."a man reading a letter by a window|abstract composition in blue and yellow|ruins of a temple|coins|map of the city|snow|rain".split("|"),
  ..."Saint Jerome in the desert with a lion and a book|a table set for dinner|fishing boats coming home|sculpture of a hand|wallpaper".split("|"),
  ..."textile fragment, satin with cut and uncut velvet|etching of a street in Paris|bowl by Georg Jensen|a circus|moonlight|1889".split("|"),
  ..."who painted the old trees, and when did the museum acquire them|drawing for a ceiling|gift of the artist|angels|two figures on a beach under a large umbrella".split("|"),
];
