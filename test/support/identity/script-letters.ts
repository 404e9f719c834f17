import type { Letter } from './letters';

/** A letter in a script that tesseract reads, and what is read from it. */
export interface ScriptLetter {
  letter: Letter;
  expected: {
    language: string;
    name: string;
    issueDate: string;
    address: { street: string; city: string; postalCode: string; country: string | null };
  };
}

const ISSUED = '2026-05-04';

/** One bill in each language whose addresses are parsed, with a due date in addition to its own date. */
export const TESSERACT_LETTERS: Record<'arabic' | 'hebrew' | 'hindi' | 'thai', ScriptLetter> = {
  arabic: {
    letter: {
      direction: 'rtl',
      sender: 'شركة المياه الوطنية',
      senderAddress: 'طريق الملك فهد 5، هاتف 8001241000',
      recipient: ['السيدة ليلى حسن العمري', 'شارع النخيل 12', 'الرياض 12251'],
      title: 'فاتورة استهلاك المياه',
      facts: [
        ['رقم العميل', '4417 0092'],
        ['تاريخ الإصدار', '04/05/2026'],
        ['تاريخ الاستحقاق', '25/05/2026'],
        ['المبلغ المستحق', '84.20'],
      ],
      body: 'هذه الفاتورة عن استهلاك المياه في منزلكم خلال الشهر الماضي. يرجى سداد المبلغ المستحق قبل نهاية الشهر وذكر رقم العميل عند الدفع. تمت قراءة العداد من قبل موظفينا.',
    },
    expected: {
      language: 'ar',
      name: 'ليلى حسن العمري',
      issueDate: ISSUED,
      address: { street: 'شارع النخيل 12', city: 'الرياض', postalCode: '12251', country: null },
    },
  },
  hebrew: {
    letter: {
      direction: 'rtl',
      sender: 'חברת החשמל הצפונית בע"מ',
      senderAddress: 'דרך הנמל 5, טלפון 04-0000000',
      recipient: ['לכבוד', 'נועה בן דוד', 'רחוב הרצל 14 דירה 3', 'תל אביב 6423914'],
      title: 'חשבון חשמל',
      facts: [
        ['מספר לקוח', '4417 0092'],
        ['תאריך החשבון', '04/05/2026'],
        ['לתשלום עד', '25/05/2026'],
        ['סכום לתשלום', '84.20'],
      ],
      body: 'חשבון זה הוא עבור צריכת החשמל בביתך בחודשים האחרונים. נא לשלם את הסכום עד למועד הנקוב ולציין את מספר הלקוח. קריאת המונה נעשתה על ידי נציג החברה.',
    },
    expected: {
      language: 'he',
      name: 'נועה בן דוד',
      issueDate: ISSUED,
      address: { street: 'רחוב הרצל 14 דירה 3', city: 'תל אביב', postalCode: '6423914', country: 'ISR' },
    },
  },
  hindi: {
    letter: {
      sender: 'उत्तर प्रदेश जल निगम',
      senderAddress: 'राणा प्रताप मार्ग, दूरभाष 0522 000000',
      recipient: ['श्रीमती अंजलि शर्मा', 'मकान संख्या 25, गांधी मार्ग', 'लखनऊ 226001'],
      title: 'जल एवं सीवर बिल',
      facts: [
        ['उपभोक्ता संख्या', '4417 0092'],
        ['बिल दिनांक', '04/05/2026'],
        ['भुगतान की अंतिम तिथि', '25/05/2026'],
        ['देय राशि', '842.00'],
      ],
      body: 'यह बिल आपके घर में पिछले महीने उपयोग किए गए पानी के लिए है। कृपया देय राशि का भुगतान अंतिम तिथि से पहले करें और उपभोक्ता संख्या अवश्य लिखें।',
    },
    expected: {
      language: 'hi',
      name: 'अंजलि शर्मा',
      issueDate: ISSUED,
      address: { street: 'मकान संख्या 25, गांधी मार्ग', city: 'लखनऊ', postalCode: '226001', country: 'IND' },
    },
  },
  thai: {
    letter: {
      sender: 'การประปานครหลวง',
      senderAddress: 'ถนนประชาชื่น โทร 1125',
      recipient: ['คุณสมหญิง แสงทอง', '99/12 ถนนสุขุมวิท', 'กรุงเทพมหานคร 10110'],
      title: 'ใบแจ้งค่าน้ำประปา',
      facts: [
        ['เลขที่ผู้ใช้น้ำ', '4417 0092'],
        ['วันที่ออกใบแจ้ง', '4 พฤษภาคม 2569'],
        ['วันครบกำหนดชำระ', '25 พฤษภาคม 2569'],
        ['จำนวนเงิน', '842.00 บาท'],
      ],
      body: 'ใบแจ้งนี้เป็นค่าน้ำประปาที่ท่านใช้ในเดือนที่ผ่านมา กรุณาชำระเงินภายในวันที่กำหนดและแจ้งเลขที่ผู้ใช้น้ำทุกครั้ง',
    },
    expected: {
      language: 'th',
      name: 'สมหญิง แสงทอง',
      issueDate: ISSUED,
      address: { street: '99/12 ถนนสุขุมวิท', city: 'กรุงเทพมหานคร', postalCode: '10110', country: 'THA' },
    },
  },
};

export type TesseractLanguage = keyof typeof TESSERACT_LETTERS;
