import { beforeEach, describe, expect, it } from "vitest";
import type { IndexInfo } from "../door";
import { builtIn, english } from "../language/choose";
import { noFilter, type FilterChoice } from "../session/filter";
import { fakeInfo } from "../testing/fake-door";
import { FilterPanel } from "./filters";

const many: IndexInfo = {
  ...fakeInfo,
  documents: 30,
  dated: 18,
  facets: [{ label: "Maker", values: Array.from({ length: 12 }, (_, at) => ({ value: `Maker ${at}`, count: 12 - at })) }],
};

let changes: FilterChoice[];
let panel: FilterPanel;
let filter: FilterChoice;

const draw = (info: IndexInfo | null = many, matching: number | null = null, language = english): void =>
  panel.draw({ info, filter, matching }, language);
const find = <T extends HTMLElement>(selector: string): T => {
  const found = panel.node.querySelector<T>(selector);
  if (found === null) throw new Error(`there is no ${selector}`);
  return found;
};
const boxes = (): HTMLInputElement[] => [...panel.node.querySelectorAll<HTMLInputElement>("[part=facet] input")];

/** Types a year and leaves the input. */
function year(id: "from" | "to", typed: string): void {
  const input = find<HTMLInputElement>(`#year-${id}`);
  input.value = typed;
  input.dispatchEvent(new Event("change"));
}

beforeEach(() => {
  changes = [];
  filter = noFilter;
  panel = new FilterPanel((change) => {
    changes.push(change);
    filter = change;
    draw();
  });
  document.body.replaceChildren(panel.node);
  draw();
});

describe("years", () => {
  it("are read as typed and said back where they could be misread", () => {
    year("from", "500 BC");
    expect(changes.at(-1)).toMatchObject({ from: -499, to: null });
    expect(find("#year-from-note").textContent).toBe("");
    year("from", "-499");
    expect(find("#year-from-note").textContent).toBe("Read as 500 BC.");
    year("from", "1850");
    expect(find("#year-from-note").textContent).toBe("");
    year("from", "");
    expect(changes.at(-1)).toMatchObject({ from: null });
  });

  it("that are none are refused beside the input, and change nothing", () => {
    year("to", "soon");
    expect(changes).toEqual([]);
    expect(find("#year-to").getAttribute("aria-invalid")).toBe("true");
    expect(find("#years-error").textContent).toContain("“soon” is no year");
    year("to", "1860");
    expect(find("#years-error").textContent).toBe("");
    expect(find("#year-to").hasAttribute("aria-invalid")).toBe(false);
  });

  it("in the wrong order are refused", () => {
    year("from", "1860");
    year("to", "1850");
    expect(changes).toHaveLength(1);
    expect(find("#years-error").textContent).toBe("The first year is after the last.");
  });

  it("from an address stand in the inputs as one could have typed them", () => {
    filter = { ...noFilter, from: -499, to: 1850 };
    draw();
    expect(find<HTMLInputElement>("#year-from").value).toBe("500 BC");
    expect(find<HTMLInputElement>("#year-to").value).toBe("1850");
    draw(many, null, builtIn("zh"));
    filter = { ...filter, from: -220 };
    draw(many, null, builtIn("zh"));
    expect(find<HTMLInputElement>("#year-from").value).toBe("公元前221年");
  });

  it("decide whether records without a date can be included, whose number is told", () => {
    const undated = find<HTMLInputElement>("[part=years] input[type=checkbox]");
    expect(undated.disabled).toBe(true);
    expect(undated.closest("label")?.textContent).toBe("Include records without a date (12)");
    year("from", "1850");
    expect(undated.disabled).toBe(false);
    undated.checked = true;
    undated.dispatchEvent(new Event("change"));
    expect(changes.at(-1)).toMatchObject({ from: 1850, undated: true });
  });
});

describe("facets", () => {
  const hundreds: IndexInfo = { ...many, facets: [{ label: "Maker", values: Array.from({ length: 300 }, (_, at) => ({ value: `M ${at}`, count: 1 })) }] };

  it("show eight values, more on request, and the focus goes on with the first new one", () => {
    expect(boxes()).toHaveLength(8);
    const more = find<HTMLButtonElement>("[part=more]");
    expect(more.textContent).toBe("4 more");
    more.click();
    expect(boxes()).toHaveLength(12);
    expect(document.activeElement).toBe(boxes()[8]);
    expect(more.textContent).toBe("Fewer");
    more.click();
    expect(boxes()).toHaveLength(8);
  });

  it("of hundreds of values show a hundred more at a time", () => {
    draw(hundreds);
    const more = find<HTMLButtonElement>("[part=more]");
    const seen = [0, 1, 2].map(() => {
      more.click();
      return [boxes().length, more.textContent];
    });
    expect(seen).toEqual([[108, "192 more"], [208, "92 more"], [300, "Fewer"]]);
  });

  it("never hide a value that is chosen, nor one that was just dropped", () => {
    filter = { ...noFilter, facets: [{ label: "Maker", value: "Maker 11" }] };
    draw();
    expect(boxes()).toHaveLength(9);
    const last = boxes().at(-1);
    expect(last?.checked).toBe(true);
    last?.focus();
    last?.click();
    expect(filter.facets).toEqual([]);
    expect(document.activeElement).toBe(last);
  });

  it("are chosen and dropped one by one", () => {
    const [first, second] = boxes();
    for (const box of [first, second, first]) box?.click();
    expect(changes.map(({ facets }) => facets.map(({ value }) => value))).toEqual([["Maker 0"], ["Maker 0", "Maker 1"], ["Maker 1"]]);
  });

  it("name each value with its count", () => {
    expect(boxes()[0]?.closest("label")?.textContent).toBe("Maker 0 (12)");
  });

  it("of eight values or fewer have no button", () => {
    draw(fakeInfo);
    expect(find("[part=more]").hidden).toBe(true);
    expect(boxes()).toHaveLength(2);
  });
});

describe("the panel", () => {
  it("is there only where there is something to filter by", () => {
    draw(null);
    expect(panel.node.hidden).toBe(true);
    draw({ ...many, dated: 0, facets: [] });
    expect(panel.node.hidden).toBe(true);
    draw({ ...many, dated: 0 });
    expect(panel.node.hidden).toBe(false);
    expect(find("[part=years]").hidden).toBe(true);
  });

  it("clears with one press, and the focus stays in the panel", () => {
    const clear = find<HTMLButtonElement>("[part=clear]");
    expect(clear.hidden).toBe(true);
    year("from", "1850");
    boxes()[0]?.click();
    expect(find("summary").textContent).toBe("Filters (2)");
    clear.focus();
    clear.click();
    expect(changes.at(-1)).toEqual(noFilter);
    expect(clear.hidden).toBe(true);
    expect(find<HTMLInputElement>("#year-from").value).toBe("");
    expect(document.activeElement).toBe(find("summary"));
  });

  it("clears what could not be read as well", () => {
    year("to", "1900");
    year("from", "soon");
    find<HTMLButtonElement>("[part=clear]").click();
    expect(find<HTMLInputElement>("#year-from").value).toBe("");
    expect(find("#years-error").textContent).toBe("");
  });

  it("tells how many records pass", () => {
    filter = { ...noFilter, from: 1850 };
    draw(many, 7);
    expect(find("[part=matching]").textContent).toBe("7 records pass the filters.");
  });
});
