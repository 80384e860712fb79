import { writeZip } from "../common/zip-write.ts";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export interface DocumentLook {
  readonly latin: string;
  readonly eastAsian: string;
  /** Points. */
  readonly size: number;
}

const fontsOf = ({ latin, eastAsian }: DocumentLook): string =>
  `<w:rFonts w:ascii="${latin}" w:hAnsi="${latin}" w:eastAsia="${eastAsian}" w:cs="${latin}"/>`;

interface StyleSource {
  readonly name: string;
  readonly type: "paragraph" | "character" | "table";
  readonly body: string;
}

/** Styles that generated text uses, by id; a template that lacks one gets it. */
export function ownStyles(look: DocumentLook): ReadonlyMap<string, StyleSource> {
  const heading = (level: number): [string, StyleSource] => {
    const size = Math.round(look.size * ([1.8, 1.45, 1.25, 1.1, 1, 1][level - 1] ?? 1) * 2);
    const [before, after] = level === 1 ? [360, 120] : [240, 80];
    return [
      `Heading${level}`,
      {
        name: `heading ${level}`,
        type: "paragraph",
        body: `<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:uiPriority w:val="9"/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${before}" w:after="${after}"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:color w:val="1F3864"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr>`,
      },
    ];
  };
  const paragraph = (name: string, properties: string, text = ""): StyleSource => ({
    name,
    type: "paragraph",
    body: `<w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${properties}</w:pPr>${text ? `<w:rPr>${text}</w:rPr>` : ""}`,
  });
  const mono = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:eastAsia="SimSun" w:cs="Consolas"/>';
  return new Map<string, StyleSource>([
    ...[1, 2, 3, 4, 5, 6].map(heading),
    [
      "Title",
      paragraph(
        "Title",
        '<w:spacing w:before="0" w:after="240"/><w:jc w:val="center"/>',
        `<w:b/><w:color w:val="1F3864"/><w:sz w:val="${Math.round(look.size * 4.4)}"/>`,
      ),
    ],
    [
      "ListParagraph",
      paragraph("List Paragraph", '<w:spacing w:after="60"/><w:ind w:left="720"/><w:contextualSpacing/>'),
    ],
    [
      "Quote",
      paragraph(
        "Quote",
        '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="BFBFBF"/></w:pBdr><w:ind w:left="360"/>',
        '<w:i/><w:color w:val="595959"/>',
      ),
    ],
    [
      "SourceCode",
      paragraph(
        "Source Code",
        '<w:keepLines/><w:pBdr><w:top w:val="single" w:sz="4" w:space="4" w:color="E0E0E0"/><w:left w:val="single" w:sz="4" w:space="4" w:color="E0E0E0"/><w:bottom w:val="single" w:sz="4" w:space="4" w:color="E0E0E0"/><w:right w:val="single" w:sz="4" w:space="4" w:color="E0E0E0"/></w:pBdr><w:shd w:val="clear" w:color="auto" w:fill="F5F5F5"/><w:spacing w:line="240" w:lineRule="auto"/>',
        `${mono}<w:sz w:val="${Math.round(look.size * 1.75)}"/>`,
      ),
    ],
    [
      "FootnoteText",
      paragraph(
        "footnote text",
        '<w:spacing w:after="0"/>',
        `<w:sz w:val="${Math.round(look.size * 1.7)}"/>`,
      ),
    ],
    [
      "Header",
      paragraph(
        "header",
        '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs><w:spacing w:after="0"/>',
        `<w:color w:val="595959"/><w:sz w:val="${Math.round(look.size * 1.7)}"/>`,
      ),
    ],
    [
      "Footer",
      paragraph(
        "footer",
        '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs><w:spacing w:after="0"/>',
        `<w:color w:val="595959"/><w:sz w:val="${Math.round(look.size * 1.7)}"/>`,
      ),
    ],
    [
      "FootnoteReference",
      {
        name: "footnote reference",
        type: "character",
        body: '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>',
      },
    ],
    [
      "Hyperlink",
      {
        name: "Hyperlink",
        type: "character",
        body: '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>',
      },
    ],
    [
      "VerbatimChar",
      {
        name: "Verbatim Char",
        type: "character",
        body: `<w:rPr>${mono}<w:shd w:val="clear" w:color="auto" w:fill="F0F0F0"/></w:rPr>`,
      },
    ],
    [
      "TableGrid",
      {
        name: "Table Grid",
        type: "table",
        body: `<w:tblPr><w:tblBorders>${["top", "left", "bottom", "right", "insideH", "insideV"].map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="A6A6A6"/>`).join("")}</w:tblBorders><w:tblCellMar><w:top w:w="40" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="40" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr>`,
      },
    ],
  ]);
}

export const styleXml = (id: string, { name, type, body }: StyleSource): string =>
  `<w:style xmlns:w="${main}" w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${body}</w:style>`;

/** An empty document to write into. */
export function emptyDocx(look: DocumentLook): Buffer {
  const size = Math.round(look.size * 2);
  const styles = `<w:styles xmlns:w="${main}"><w:docDefaults><w:rPrDefault><w:rPr>${fontsOf(look)}<w:sz w:val="${size}"/><w:szCs w:val="${size}"/><w:lang w:val="en-US" w:eastAsia="zh-CN" w:bidi="ar-SA"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="288" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style><w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style><w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style></w:styles>`;
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml";
  return writeZip(
    new Map([
      [
        "[Content_Types].xml",
        `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${word}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${word}.styles+xml"/><Override PartName="/word/settings.xml" ContentType="${word}.settings+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
      ],
      [
        "_rels/.rels",
        `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${packages}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
      ],
      [
        "word/_rels/document.xml.rels",
        `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${office}/settings" Target="settings.xml"/></Relationships>`,
      ],
      [
        "word/document.xml",
        `${head}<w:document xmlns:w="${main}" xmlns:r="${office}"><w:body/></w:document>`,
      ],
      ["word/styles.xml", head + styles],
      [
        "word/settings.xml",
        `${head}<w:settings xmlns:w="${main}"><w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="compressPunctuation"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
      ],
      [
        "docProps/core.xml",
        `${head}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title></dc:title><dc:creator></dc:creator></cp:coreProperties>`,
      ],
    ]),
  );
}
