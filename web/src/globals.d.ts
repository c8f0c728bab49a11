/** The program's version, set by the build. */
declare const __ALMANAC_VERSION__: string;
