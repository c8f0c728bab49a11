/** A record of a small book of the farming year. */
interface Chore {
  id: string;
  title: string;
  text: string;
}

const texts: readonly [title: string, text: string][] = [
  ["正月", "正月，修整犁耙，浸種備耕，園中可種蔥。"],
  ["二月", "二月，耕田下肥，種麻，移栽桑樹。"],
  ["三月", "三月，穀雨前後種棉，蠶初生，採桑飼之。"],
  ["四月", "四月，刈麥，繅絲，水田插秧。"],
  ["五月", "五月，芒種後收麥，鋤禾，防雨備倉。"],
  ["六月", "六月，耘田去草，曬穀，種蕎麥。"],
  ["七月", "七月，立秋後種菜，收麻，治倉廩。"],
  ["八月", "八月，白露後收早稻，種冬麥。"],
  ["九月", "九月，霜降前收晚稻，藏菜窖中。"],
  ["十月", "十月，立冬後修溝渠，納禾稼，釀酒。"],
  ["十一月", "十一月，冬至伐木，修農具，飼牛於欄。"],
  ["十二月", "十二月，藏冰，積肥，補蠶具以待春。"],
  ["論土", "凡土有肥瘠，耕者當知其性，深耕則根固。"],
  ["論水", "水者田之血脈，陂塘溝洫，皆以時修之。"],
];

/** Records of which all but two say when in the year their work is done, as lines of JSON. */
export function farmingYear(): string {
  const records = texts.map(([title, text], at): Chore => ({ id: `farm:${at + 1}`, title, text }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
