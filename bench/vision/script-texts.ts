/** Text drawn in one language, with numbers and dates as letters print them. */
export interface ScriptText {
  language: string;
  /** Package of the font, and the name of its file and family. */
  font: string;
  family: string;
  lines: readonly string[];
}

/** Letters as drawn by the benchmark `scripts`, in the languages of the recogniser for other scripts. */
export const SCRIPT_TEXTS: readonly ScriptText[] = [
  {
    language: 'Arabic',
    font: 'noto-sans-arabic',
    family: 'Noto Sans Arabic',
    lines: [
      'شركة المياه الوطنية',
      'السيدة ليلى حسن العمري',
      'شارع النخيل 12',
      'الرياض 12251',
      'تاريخ الإصدار 04/05/2026',
      'هذه الفاتورة عن استهلاك المياه في منزلكم خلال الشهر الماضي',
      'يرجى سداد المبلغ المستحق قبل نهاية الشهر وذكر رقم العميل',
    ],
  },
  {
    language: 'Persian',
    font: 'noto-sans-arabic',
    family: 'Noto Sans Arabic',
    lines: [
      'شرکت آب و فاضلاب استان تهران',
      'خانم لیلا حسینی',
      'خیابان گلستان پلاک 14',
      'تهران 1583743511',
      'تاریخ صدور 1405/02/14',
      'این صورتحساب مربوط به مصرف آب منزل شما در ماه گذشته است',
      'لطفا مبلغ قابل پرداخت را تا پایان ماه بپردازید',
    ],
  },
  {
    language: 'Hebrew',
    font: 'noto-sans-hebrew',
    family: 'Noto Sans Hebrew',
    lines: [
      'חברת החשמל הצפונית',
      'נועה בן דוד',
      'רחוב הרצל 14 דירה 3',
      'תל אביב 6423914',
      'תאריך החשבון 04/05/2026',
      'חשבון זה הוא עבור צריכת החשמל בביתך בחודשים האחרונים',
      'נא לשלם את הסכום עד למועד הנקוב ולציין את מספר הלקוח',
    ],
  },
  {
    language: 'Hindi',
    font: 'noto-sans',
    family: 'Noto Sans',
    lines: [
      'उत्तर प्रदेश जल निगम',
      'श्रीमती अंजलि शर्मा',
      'मकान संख्या 14, गांधी मार्ग',
      'लखनऊ 226001',
      'बिल दिनांक 04/05/2026',
      'यह बिल आपके घर में पिछले महीने उपयोग किए गए पानी के लिए है',
      'कृपया देय राशि का भुगतान अंतिम तिथि से पहले करें',
    ],
  },
  {
    language: 'Thai',
    font: 'noto-sans-thai',
    family: 'Noto Sans Thai',
    lines: [
      'การประปานครหลวง',
      'คุณสมชาย ใจดี',
      '99/12 ถนนสุขุมวิท แขวงคลองเตย',
      'กรุงเทพมหานคร 10110',
      'วันที่ออกใบแจ้ง 4 พฤษภาคม 2569',
      'ใบแจ้งนี้เป็นค่าน้ำประปาที่ท่านใช้ในเดือนที่ผ่านมา',
      'กรุณาชำระเงินภายในวันที่กำหนดและแจ้งเลขที่ผู้ใช้น้ำ',
    ],
  },
  {
    language: 'Korean',
    font: 'noto-sans-kr',
    family: 'Noto Sans KR',
    lines: [
      '서울특별시 상수도사업본부',
      '김민지 귀하',
      '서울특별시 강남구 테헤란로 152',
      '우편번호 06236',
      '발행일 2026년 5월 4일',
      '이 청구서는 지난달 댁의 수도 사용에 대한 것입니다',
      '납부 기한까지 금액을 납부하시고 고객번호를 적어 주시기 바랍니다',
    ],
  },
  {
    language: 'Bengali',
    font: 'noto-sans-bengali',
    family: 'Noto Sans Bengali',
    lines: [
      'ঢাকা পানি সরবরাহ কর্তৃপক্ষ',
      'জনাব রহিম উদ্দিন',
      'বাড়ি 14, মিরপুর রোড',
      'ঢাকা 1216',
      'বিলের তারিখ 04/05/2026',
      'এই বিলটি গত মাসে আপনার বাড়িতে ব্যবহৃত পানির জন্য',
      'অনুগ্রহ করে নির্ধারিত তারিখের আগে বিল পরিশোধ করুন',
    ],
  },
  {
    language: 'Tamil',
    font: 'noto-sans-tamil',
    family: 'Noto Sans Tamil',
    lines: [
      'சென்னை குடிநீர் வாரியம்',
      'திருமதி கவிதா ராமன்',
      'எண் 14, காந்தி சாலை',
      'சென்னை 600017',
      'பில் தேதி 04/05/2026',
      'இந்த பில் கடந்த மாதம் உங்கள் வீட்டில் பயன்படுத்திய நீருக்கானது',
      'தயவுசெய்து குறிப்பிட்ட தேதிக்குள் தொகையை செலுத்தவும்',
    ],
  },
  {
    language: 'Telugu',
    font: 'noto-sans-telugu',
    family: 'Noto Sans Telugu',
    lines: [
      'హైదరాబాద్ నీటి సరఫరా మండలి',
      'శ్రీమతి లక్ష్మి రావు',
      'ఇంటి నంబర్ 14, గాంధీ రోడ్డు',
      'హైదరాబాద్ 500001',
      'బిల్లు తేదీ 04/05/2026',
      'ఈ బిల్లు గత నెలలో మీ ఇంటిలో వాడిన నీటికి సంబంధించినది',
      'దయచేసి గడువు తేదీలోగా మొత్తాన్ని చెల్లించండి',
    ],
  },
  {
    language: 'Georgian',
    font: 'noto-sans-georgian',
    family: 'Noto Sans Georgian',
    lines: [
      'საქართველოს წყლის კომპანია',
      'ნინო ბერიძე',
      'რუსთაველის გამზირი 14',
      '0108 თბილისი',
      'გაცემის თარიღი 04/05/2026',
      'ეს ანგარიში არის თქვენს სახლში მოხმარებული წყლისთვის',
      'გთხოვთ გადაიხადოთ თანხა დადგენილ ვადამდე',
    ],
  },
  {
    language: 'Armenian',
    font: 'noto-sans-armenian',
    family: 'Noto Sans Armenian',
    lines: [
      'Երևանի ջրային ընկերություն',
      'Անահիտ Սարգսյան',
      'Մաշտոցի պողոտա 14',
      'Երևան 0010',
      'Հաշվի ամսաթիվ 04/05/2026',
      'Այս հաշիվը ձեր տանը անցած ամսվա ջրի սպառման համար է',
      'Խնդրում ենք վճարել գումարը նշված ժամկետում',
    ],
  },
];

/** Pages that the text recogniser reads by itself, on which no other script may be detected. */
export const OWN_SCRIPT_TEXTS: readonly ScriptText[] = [
  {
    language: 'German',
    font: 'noto-sans',
    family: 'Noto Sans',
    lines: [
      'Stadtwerke Musterheim GmbH',
      'Klara Martinsdotter',
      'Lindenstraße 27b',
      '10437 Berlin',
      'Rechnungsdatum 04.05.2026',
      'Für die Lieferung von Strom berechnen wir den unten stehenden Betrag',
      'Bitte zahlen Sie die Rechnung auf das Konto der Stadtwerke',
    ],
  },
  {
    language: 'Chinese',
    font: 'noto-sans-sc',
    family: 'Noto Sans SC',
    lines: [
      '市自来水公司',
      '玛婷 女士',
      '朝阳区花园路十二号三单元',
      '北京市 100020',
      '账单日期 2026年5月4日',
      '本账单为您家庭上月的用水费用，请在到期日之前缴纳应付金额',
      '并在付款时注明您的客户编号。如有疑问，请联系我们',
    ],
  },
];
