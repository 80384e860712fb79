import { Failure } from "../common/failure.ts";
import type { OfficePackage } from "../common/office-package.ts";
import { all, attr, attrNumber, child, children, descend, type Element } from "../common/xml.ts";
import { Levels, type RunLook, Theme } from "./looks.ts";

/** Points. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SlideRun extends RunLook {
  readonly text: string;
  readonly link?: string;
}

export interface SlideParagraph {
  readonly runs: readonly SlideRun[];
  readonly level: number;
  readonly bullet: string | null;
  readonly align: "left" | "center" | "right" | "justify";
}

export interface Shape {
  readonly kind: "text" | "picture" | "table" | "chart" | "other";
  /** Kind of placeholder, such as title, body or sldNum. */
  readonly placeholder: string | null;
  readonly name: string;
  readonly box: Box | null;
  readonly turn: number;
  readonly fill?: string;
  readonly line?: string;
  readonly round: boolean;
  readonly anchor: "top" | "middle" | "bottom";
  readonly scale: number;
  readonly paragraphs: readonly SlideParagraph[];
  readonly rows?: readonly (readonly {
    readonly paragraphs: readonly SlideParagraph[];
    readonly columns: number;
    readonly rows: number;
    readonly fill?: string;
  }[])[];
  readonly widths?: readonly number[];
  readonly picture?: { readonly part: string; readonly alt: string };
  readonly chart?: {
    readonly title: string;
    readonly labels: readonly string[];
    readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  };
}

export interface Slide {
  readonly number: number;
  readonly part: string;
  readonly hidden: boolean;
  readonly title: string;
  readonly background: string | null;
  readonly shapes: readonly Shape[];
  /** Decoration of layout and master. */
  readonly behind: readonly Shape[];
  readonly notes: string;
}

export interface Deck {
  readonly width: number;
  readonly height: number;
  readonly slides: readonly Slide[];
}

const emu = 12700;
const mostSlides = 5000;

/** Slide parts in the order of the presentation. */
export function slideParts(pack: OfficePackage): readonly string[] {
  const main = pack.main();
  const root = pack.xml(main).documentElement;
  if (root?.localName !== "presentation") throw new Failure(`${pack.what} is no PowerPoint presentation`);
  const targets = new Map(pack.relations(main).map((relation) => [relation.id, relation.target]));
  const parts = children(child(root, "sldIdLst") ?? root, "sldId").flatMap((one) => {
    // Both `id` and `r:id` are there: the relation is the one with the namespace.
    const id = one.getAttributeNS(
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
      "id",
    );
    const target = targets.get(id ?? "");
    return target !== undefined && pack.has(target) ? [target] : [];
  });
  if (parts.length > mostSlides) throw new Failure(`refused: ${pack.what} has ${parts.length} slides`);
  return parts;
}

export function readDeck(pack: OfficePackage): Deck {
  const size = child(pack.xml(pack.main()).documentElement, "sldSz");
  return {
    width: (attrNumber(size, "cx") ?? 12_192_000) / emu,
    height: (attrNumber(size, "cy") ?? 6_858_000) / emu,
    slides: slideParts(pack).map((part, at) => readSlide(pack, part, at + 1)),
  };
}

interface Context {
  readonly pack: OfficePackage;
  readonly part: string;
  readonly theme: Theme;
  /** Trees whose placeholders this part takes from, nearest first. */
  readonly parents: readonly Element[];
  readonly master: Element | null;
}

function readSlide(pack: OfficePackage, part: string, number: number): Slide {
  const root = pack.xml(part).documentElement as Element;
  const layoutPart = pack.related(part, "slideLayout");
  const masterPart = layoutPart ? pack.related(layoutPart, "slideMaster") : null;
  const themePart = masterPart ? pack.related(masterPart, "theme") : null;
  const layout = layoutPart ? pack.xml(layoutPart).documentElement : null;
  const master = masterPart ? pack.xml(masterPart).documentElement : null;
  const theme = new Theme(themePart ? pack.xml(themePart).documentElement : null, child(master, "clrMap"));
  const parents = [layout, master].filter((one): one is Element => one !== null);
  const context: Context = { pack, part, theme, parents, master };
  const shapes = shapesOf(descend(root, "cSld", "spTree"), context, identity);
  const behind = [
    ...(master && masterPart && attr(layout, "showMasterSp") !== "0" && attr(root, "showMasterSp") !== "0"
      ? shapesOf(descend(master, "cSld", "spTree"), { ...context, part: masterPart, parents: [] }, identity)
      : []),
    ...(layout && layoutPart && attr(root, "showMasterSp") !== "0"
      ? shapesOf(
          descend(layout, "cSld", "spTree"),
          { ...context, part: layoutPart, parents: [master].filter((one): one is Element => one !== null) },
          identity,
        )
      : []),
  ].filter(({ placeholder }) => placeholder === null);
  const title = shapes.find(({ placeholder }) => placeholder === "title" || placeholder === "ctrTitle");
  const background =
    [root, ...parents].map((one) => descend(one, "cSld", "bg")).find((one) => one !== null) ?? null;
  const notesPart = pack.related(part, "notesSlide");
  const notes = notesPart
    ? shapesOf(
        descend(pack.xml(notesPart).documentElement, "cSld", "spTree"),
        { ...context, part: notesPart, parents: [] },
        identity,
      ).filter(({ placeholder }) => placeholder === "body")
    : [];
  return {
    number,
    part,
    hidden: attr(root, "show") === "0",
    title: title ? textOfShape(title).replace(/\s+/g, " ").trim() : "",
    background: background
      ? (theme.fill(child(background, "bgPr")) ?? theme.color(child(background, "bgRef")))
      : null,
    shapes,
    behind,
    notes: notes.map(textOfShape).join("\n").trim(),
  };
}

export const textOfShape = (shape: Shape): string =>
  shape.paragraphs.map(({ runs }) => runs.map(({ text }) => text).join("")).join("\n");

interface Transform {
  readonly dx: number;
  readonly dy: number;
  readonly sx: number;
  readonly sy: number;
}

const identity: Transform = { dx: 0, dy: 0, sx: 1, sy: 1 };

function shapesOf(tree: Element | null, context: Context, transform: Transform, depth = 0): Shape[] {
  if (tree === null || depth > 12) return [];
  return children(tree).flatMap((one): Shape[] => {
    switch (one.localName) {
      case "sp":
      case "cxnSp":
        return [shapeOf(one, context, transform)];
      case "pic":
        return [{ ...shapeOf(one, context, transform), kind: "picture", ...pictureOf(one, context) }];
      case "graphicFrame":
        return [frameOf(one, context, transform)];
      case "grpSp":
        return shapesOf(one, context, grouped(one, transform), depth + 1);
      case "AlternateContent": {
        const choice = child(one, "Choice") ?? child(one, "Fallback");
        return shapesOf(choice, context, transform, depth + 1);
      }
      default:
        return [];
    }
  });
}

function grouped(group: Element, outer: Transform): Transform {
  const frame = descend(group, "grpSpPr", "xfrm");
  const at = (name: string, part: string): number => (attrNumber(child(frame, name), part) ?? 0) / emu;
  const [w, h] = [at("chExt", "cx") || 1, at("chExt", "cy") || 1];
  const [sx, sy] = [(at("ext", "cx") || w) / w, (at("ext", "cy") || h) / h];
  return {
    sx: outer.sx * sx,
    sy: outer.sy * sy,
    dx: outer.dx + outer.sx * (at("off", "x") - at("chOff", "x") * sx),
    dy: outer.dy + outer.sy * (at("off", "y") - at("chOff", "y") * sy),
  };
}

function boxOf(frame: Element | null, transform: Transform): Box | null {
  const [offset, extent] = [child(frame, "off"), child(frame, "ext")];
  if (offset === null || extent === null) return null;
  const number = (element: Element, name: string): number =>
    Math.max(-20_000, Math.min(20_000, (attrNumber(element, name) ?? 0) / emu));
  return {
    x: transform.dx + number(offset, "x") * transform.sx,
    y: transform.dy + number(offset, "y") * transform.sy,
    width: number(extent, "cx") * transform.sx,
    height: number(extent, "cy") * transform.sy,
  };
}

/** The placeholder of layout and master that a shape takes its place and look from. */
function inherited(shape: Element, context: Context): readonly Element[] {
  const own = descend(shape, "nvSpPr", "nvPr", "ph");
  if (own === null) return [];
  const [type, index] = [attr(own, "type") ?? "body", attr(own, "idx")];
  const same = (a: string, b: string): boolean =>
    a === b || (a === "ctrTitle" && b === "title") || (a === "subTitle" && b === "body");
  return context.parents.flatMap((parent) => {
    const candidates = all(parent, "sp").filter((one) => descend(one, "nvSpPr", "nvPr", "ph") !== null);
    const of = (one: Element): Element => descend(one, "nvSpPr", "nvPr", "ph") as Element;
    const found =
      (index === null ? undefined : candidates.find((one) => attr(of(one), "idx") === index)) ??
      candidates.find((one) => same(type, attr(of(one), "type") ?? "body"));
    return found ? [found] : [];
  });
}

function shapeOf(shape: Element, context: Context, transform: Transform): Shape {
  const parents = inherited(shape, context);
  const properties = child(shape, "spPr");
  const chain = [shape, ...parents];
  const frame = chain.map((one) => descend(one, "spPr", "xfrm")).find((one) => one !== null) ?? null;
  const holder = descend(shape, "nvSpPr", "nvPr", "ph");
  const placeholder = holder ? (attr(holder, "type") ?? "body") : null;
  const body = child(shape, "txBody");
  const bodies = chain
    .map((one) => descend(one, "txBody", "bodyPr"))
    .filter((one): one is Element => one !== null);
  const anchor =
    bodies.map((one) => attr(one, "anchor")).find((one) => one !== null) ??
    (placeholder === "title" ? "ctr" : "t");
  const levels = new Levels(chain, { placeholder, master: context.master, theme: context.theme });
  const fill = child(properties, "noFill")
    ? null
    : (context.theme.fill(properties) ?? context.theme.color(descend(shape, "style", "fillRef")));
  const outline = child(properties, "ln");
  const line =
    outline && child(outline, "noFill")
      ? null
      : (context.theme.fill(outline) ?? context.theme.color(descend(shape, "style", "lnRef")));
  const preset = attr(child(properties, "prstGeom"), "prst") ?? "rect";
  return {
    kind: "text",
    placeholder,
    name: attr(descend(shape, "nvSpPr", "cNvPr") ?? descend(shape, "nvPicPr", "cNvPr"), "name") ?? "",
    box: boxOf(frame, transform),
    turn: (attrNumber(frame, "rot") ?? 0) / 60_000,
    ...(fill ? { fill } : {}),
    ...(line ? { line } : {}),
    round: preset === "ellipse",
    anchor: anchor === "ctr" ? "middle" : anchor === "b" ? "bottom" : "top",
    scale: Math.max(0.25, (attrNumber(child(bodies[0], "normAutofit"), "fontScale") ?? 100_000) / 100_000),
    paragraphs: body ? paragraphsOf(body, levels, context) : [],
  };
}

function paragraphsOf(body: Element, levels: Levels, context: Context): SlideParagraph[] {
  const counts = new Map<number, number>();
  return children(body, "p").map((paragraph): SlideParagraph => {
    const own = child(paragraph, "pPr");
    const level = Math.min(8, attrNumber(own, "lvl") ?? 0);
    const base = levels.of(level, own);
    const runs = children(paragraph).flatMap((one): readonly SlideRun[] => {
      if (one.localName === "br") return [{ text: "\n", ...base.look }];
      if (one.localName !== "r" && one.localName !== "fld") return [];
      const properties = child(one, "rPr");
      const relation = attr(child(properties, "hlinkClick"), "id");
      const link = relation
        ? context.pack.relations(context.part).find(({ id, external }) => id === relation && external)?.target
        : undefined;
      return [
        {
          text: child(one, "t")?.textContent ?? "",
          ...base.look,
          ...context.theme.look(properties),
          ...(link ? { link } : {}),
        },
      ];
    });
    let { bullet } = base;
    if (bullet === "#") {
      counts.set(level, (counts.get(level) ?? 0) + 1);
      bullet = `${counts.get(level)}.`;
    }
    return { runs, level, bullet, align: base.align };
  });
}

function pictureOf(element: Element, context: Context): Pick<Shape, "picture"> {
  const id = attr(all(element, "blip")[0], "embed");
  const relation = context.pack.relations(context.part).find((one) => one.id === id && !one.external);
  if (relation === undefined || !context.pack.has(relation.target)) return {};
  return {
    picture: { part: relation.target, alt: attr(descend(element, "nvPicPr", "cNvPr"), "descr") ?? "" },
  };
}

function frameOf(frame: Element, context: Context, transform: Transform): Shape {
  const base: Shape = {
    kind: "other",
    placeholder: null,
    name: attr(descend(frame, "nvGraphicFramePr", "cNvPr"), "name") ?? "",
    box: boxOf(child(frame, "xfrm"), transform),
    turn: 0,
    round: false,
    anchor: "top",
    scale: 1,
    paragraphs: [],
  };
  const data = descend(frame, "graphic", "graphicData");
  const table = child(data, "tbl");
  if (table !== null) return { ...base, kind: "table", ...tableOf(table, context) };
  const chart = child(data, "chart");
  const part = chart
    ? context.pack.relations(context.part).find(({ id }) => id === attr(chart, "id"))?.target
    : undefined;
  if (part !== undefined && context.pack.has(part))
    return { ...base, kind: "chart", chart: chartOf(context.pack.xml(part).documentElement as Element) };
  return base;
}

function tableOf(table: Element, context: Context): Pick<Shape, "rows" | "widths"> {
  const widths = children(child(table, "tblGrid") ?? table, "gridCol").map(
    (one) => (attrNumber(one, "w") ?? 0) / emu,
  );
  const levels = new Levels([], { placeholder: null, master: context.master, theme: context.theme });
  const rows = children(table, "tr").map((row) =>
    children(row, "tc")
      .filter((cell) => attr(cell, "hMerge") !== "1" && attr(cell, "vMerge") !== "1")
      .map((cell) => {
        const fill = context.theme.fill(child(cell, "tcPr"));
        const body = child(cell, "txBody");
        return {
          paragraphs: body ? paragraphsOf(body, levels, context) : [],
          columns: Math.min(100, attrNumber(cell, "gridSpan") ?? 1),
          rows: Math.min(500, attrNumber(cell, "rowSpan") ?? 1),
          ...(fill ? { fill } : {}),
        };
      }),
  );
  return { rows, widths };
}

function chartOf(root: Element): NonNullable<Shape["chart"]> {
  const points = (element: Element | null): (string | null)[] => {
    const list: (string | null)[] = [];
    for (const point of element ? all(element, "pt") : []) {
      const at = attrNumber(point, "idx") ?? 0;
      if (at >= 0 && at < 10_000) list[at] = child(point, "v")?.textContent ?? null;
    }
    return Array.from(list, (one) => one ?? null);
  };
  const series = all(root, "ser").slice(0, 100);
  return {
    title: all(descend(root, "chart", "title") ?? root, "t")
      .slice(0, descend(root, "chart", "title") ? 50 : 0)
      .map((one) => one.textContent ?? "")
      .join(""),
    labels: points(child(series[0] ?? null, "cat")).map((one) => one ?? ""),
    series: series.map((one) => ({
      name: points(child(one, "tx"))[0] ?? "",
      values: points(child(one, "val")).map((value) => (value === null ? null : Number(value))),
    })),
  };
}
