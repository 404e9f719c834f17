/** The languages of the capture page. */
export const CAPTURE_LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'] as const;

export type CaptureLanguage = (typeof CAPTURE_LANGUAGES)[number];

/** Version of the consent texts below: raised with every change of any of them, because consents refer to it. */
export const CONSENT_VERSION = '2026-11-22';

/** `{organisation}` stands for the name of the organisation that verifies. */
const CONSENT_TEXTS: Readonly<Record<CaptureLanguage, readonly string[]>> = {
  en: [
    '{organisation} asks you to confirm who you are. For this, you take pictures of your identity document, of your face or of a proof of your address, as the next steps show.',
    'The pictures and the details on them are examined automatically and, where needed, by staff of {organisation}. Where a selfie is requested, features of your face (biometric data) are compared with the portrait on your document and may be compared with those of earlier verifications.',
    '{organisation} is responsible for the processing, keeps the data for as long as its rules and the law require, and erases it on request. You can withdraw your consent at any time; what was examined before remains lawful.',
    'I consent to {organisation} processing my data, including biometric data, to verify my identity.',
  ],
  de: [
    '{organisation} bittet Sie, Ihre Identität zu bestätigen. Dafür nehmen Sie Bilder Ihres Ausweisdokuments, Ihres Gesichts oder eines Adressnachweises auf, wie es die nächsten Schritte zeigen.',
    'Die Bilder und die Angaben darauf werden automatisch geprüft und, wo nötig, von Beschäftigten von {organisation}. Wo ein Selfie verlangt wird, werden Merkmale Ihres Gesichts (biometrische Daten) mit dem Porträt auf Ihrem Dokument verglichen und können mit denen früherer Prüfungen verglichen werden.',
    '{organisation} ist für die Verarbeitung verantwortlich, bewahrt die Daten so lange auf, wie es die eigenen Regeln und das Gesetz verlangen, und löscht sie auf Verlangen. Sie können Ihre Einwilligung jederzeit widerrufen; was zuvor geprüft wurde, bleibt rechtmäßig.',
    'Ich willige ein, dass {organisation} meine Daten, auch biometrische Daten, verarbeitet, um meine Identität zu prüfen.',
  ],
  fr: [
    '{organisation} vous demande de confirmer votre identité. Pour cela, vous photographiez votre pièce d’identité, votre visage ou un justificatif de domicile, comme l’indiquent les étapes suivantes.',
    'Les images et les informations qui y figurent sont examinées automatiquement et, si nécessaire, par le personnel de {organisation}. Lorsqu’un selfie est demandé, les caractéristiques de votre visage (données biométriques) sont comparées au portrait de votre document et peuvent l’être à celles de vérifications antérieures.',
    '{organisation} est responsable du traitement, conserve les données aussi longtemps que ses règles et la loi l’exigent, et les efface sur demande. Vous pouvez retirer votre consentement à tout moment ; ce qui a été examiné auparavant reste licite.',
    'Je consens à ce que {organisation} traite mes données, y compris biométriques, pour vérifier mon identité.',
  ],
  es: [
    '{organisation} le pide que confirme quién es. Para ello, fotografía su documento de identidad, su rostro o un justificante de domicilio, según indican los pasos siguientes.',
    'Las imágenes y los datos que contienen se examinan automáticamente y, si es necesario, por personal de {organisation}. Cuando se pide un selfi, los rasgos de su rostro (datos biométricos) se comparan con el retrato de su documento y pueden compararse con los de verificaciones anteriores.',
    '{organisation} es responsable del tratamiento, conserva los datos mientras lo exijan sus normas y la ley, y los borra cuando se le solicita. Puede retirar su consentimiento en cualquier momento; lo examinado antes sigue siendo lícito.',
    'Consiento que {organisation} trate mis datos, incluidos los biométricos, para verificar mi identidad.',
  ],
  ar: [
    'تطلب منك {organisation} تأكيد هويتك. لذلك تلتقط صورًا لوثيقة هويتك أو لوجهك أو لإثبات عنوانك كما توضح الخطوات التالية.',
    'تُفحص الصور والبيانات الواردة فيها آليًا، وعند الحاجة يفحصها موظفو {organisation}. وعند طلب صورة ذاتية تُقارن ملامح وجهك (بيانات بيومترية) بالصورة الموجودة في وثيقتك، وقد تُقارن بملامح من عمليات تحقق سابقة.',
    '{organisation} مسؤولة عن معالجة البيانات، وتحتفظ بها ما دامت قواعدها والقانون يقتضيان ذلك، وتمحوها عند الطلب. يمكنك سحب موافقتك في أي وقت، ويبقى ما فُحص قبل ذلك مشروعًا.',
    'أوافق على أن تعالج {organisation} بياناتي، بما فيها البيانات البيومترية، للتحقق من هويتي.',
  ],
};

/** The text that a person consents to, in paragraphs; the last one is the consent itself. */
export const buildConsentText = (language: CaptureLanguage, organisation: string): string[] =>
  CONSENT_TEXTS[language].map((paragraph) => paragraph.replaceAll('{organisation}', () => organisation));
