import { escapeXml } from '../../../domain/xml-escape';

/** Metadata of the file: the fields of the document information dictionary, and of Factur-X. */
export interface FileMetadata {
  title: string;
  creator: string;
  producer: string;
  createdAt: Date;
  /** File name of the embedded electronic invoice. */
  attachment: string;
  /** Conformance level of Factur-X, such as `EN 16931`. */
  level: string;
}

const FACTURX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** Properties of the Factur-X schema: name, description, value (Factur-X 1.0, section 6). */
const listFacturXProperties = (attachment: string, level: string): readonly (readonly [string, string, string])[] => [
  ['DocumentFileName', 'The name of the embedded XML document', attachment],
  ['DocumentType', 'The type of the hybrid document', 'INVOICE'],
  ['Version', 'The version of the standard of the embedded XML document', '1.0'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document', level],
];

const renderPropertySchema = ([name, description]: readonly [string, string, string]): string => `
      <rdf:li rdf:parseType="Resource">
       <pdfaProperty:name>${name}</pdfaProperty:name>
       <pdfaProperty:valueType>Text</pdfaProperty:valueType>
       <pdfaProperty:category>external</pdfaProperty:category>
       <pdfaProperty:description>${description}</pdfaProperty:description>
      </rdf:li>`;

/** Formats to the second, like the dates of the document information dictionary. */
const formatXmpDate = (instant: Date): string => `${instant.toISOString().slice(0, 19)}+00:00`;

/**
 * Builds the XMP packet of a Factur-X file: PDF/A-3 level B (ISO 19005-3, 6.6), and the Factur-X properties with the
 * extension schema that properties outside the predefined schemas require.
 */
export function buildXmpPacket(metadata: FileMetadata): string {
  const { title, creator, producer, createdAt, attachment, level } = metadata;
  const facturx = listFacturXProperties(attachment, level);
  const date = formatXmpDate(createdAt);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
   <pdfaid:part>3</pdfaid:part>
   <pdfaid:conformance>B</pdfaid:conformance>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
   <pdf:Producer>${escapeXml(producer)}</pdf:Producer>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
   <xmp:CreatorTool>${escapeXml(creator)}</xmp:CreatorTool>
   <xmp:CreateDate>${date}</xmp:CreateDate>
   <xmp:ModifyDate>${date}</xmp:ModifyDate>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
   <pdfaExtension:schemas>
    <rdf:Bag>
     <rdf:li rdf:parseType="Resource">
      <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
      <pdfaSchema:namespaceURI>${FACTURX}</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>fx</pdfaSchema:prefix>
      <pdfaSchema:property><rdf:Seq>${facturx.map(renderPropertySchema).join('')}
      </rdf:Seq></pdfaSchema:property>
     </rdf:li>
    </rdf:Bag>
   </pdfaExtension:schemas>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:fx="${FACTURX}">
${facturx.map(([name, , value]) => `   <fx:${name}>${escapeXml(value)}</fx:${name}>`).join('\n')}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}
