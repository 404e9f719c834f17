/**
 * Korean readings of Chinese characters that are common in names: surnames, and the characters of given names, in
 * traditional, simplified and Japanese forms. Each reading is followed by its characters.
 */
const SURNAMES =
  '김金 이李 박朴 최崔 정鄭郑丁程 강姜康 조趙赵曺曹 윤尹 장張张章蔣蒋 임林任 오吳吴 한韓韩 신申辛愼慎 서徐 권權权 황黃黄 안安 송宋 유柳劉刘兪俞 류柳劉刘 홍洪 전全田錢钱 ' +
  '고高 문文 손孫孙 양梁楊杨 배裵裴 백白 허許许 남南 심沈 노盧卢魯鲁 하河夏 곽郭 성成 차車车 주朱周 우禹 구具丘 민閔闵 진陳陈秦晉晋 나羅罗 지池 엄嚴严 원元 채蔡 천千 ' +
  '방方房 공孔 현玄 함咸 변卞邊边 염廉 여呂吕 추秋 도都 석石昔 선宣 설薛 마馬马 길吉 위魏 표表 명明 기奇 반潘 왕王 금琴 옥玉 육陸陆 인印 맹孟 제諸诸 모牟 국鞠 ' +
  '어魚鱼 은殷 편片 용龍龙 예芮 봉奉 사史 부夫 경慶庆 소蘇苏 탁卓 리李 림林 로盧卢 라羅罗 렴廉 여余';

const GIVEN_NAMES =
  '가佳嘉可 각珏 간幹干 강江剛刚康强強 개介 거巨 건建健乾 걸傑杰 겸謙谦兼 경京景慶庆敬卿瓊琼庚暻經经耕鏡镜 계桂啓启繼继 고高古 곤坤 공公功恭 관寬宽觀观冠官 광光廣广 교敎教喬乔 ' +
  '구九求久龜龟球 국國国局菊 군軍军君 권權权 귀貴贵 규圭奎規规珪揆 균均鈞钧 극克極极 근根勤近謹谨瑾槿 금金錦锦今 기基起琦奇己氣气紀纪期騏麒記旗箕 길吉 나娜那羅罗 남南男楠 ' +
  '년年 노魯鲁老 녹祿禄 능能 다多 단丹旦端 달達达 담潭淡 대大代 덕德悳 도道度圖图島岛燾 돈敦 동東东棟栋同童桐 두斗 득得 등登 라羅罗 락樂乐 란蘭兰 래來来 량良亮 려麗丽 력力 ' +
  '련連连蓮莲 렬烈 령玲鈴铃令靈灵 례禮礼 로老路 록祿禄綠绿 룡龍龙 루樓楼 륜倫伦輪轮 률律 륭隆 린麟隣 림林琳臨临 립立 마馬马 만萬万滿满 매梅 맹孟 면勉 명明命名鳴鸣 모模 목木睦 ' +
  '무武茂務务 문文問问 미美米 민民敏旻珉玟 박博 반盤 발發发 방邦芳方 배培 백伯百柏 범範范凡 법法 벽碧 병秉炳丙兵柄昞 보保寶宝甫輔辅 복福復复 본本 봉奉鳳凤峰鋒锋蓬 부富夫 ' +
  '분芬粉 북北 빈彬斌 빙氷 사四士思 산山 삼三 상相尙尚常祥商 새賽 생生 서瑞西書书 석錫锡石碩硕奭 선善先仙宣璿鮮鲜 설雪 섭燮 성成誠诚聖圣性星盛晟城聲声 세世 소少素昭小 송松宋頌 ' +
  '수秀壽寿洙守水樹树銖铢 숙淑肅 순順顺淳舜純纯珣 술述 숭崇 슬瑟 승承勝胜昇升乘 시時时始詩诗 식植式軾 신信新臣 실實实 심心深 아雅兒儿 안安 애愛爱 야夜 약若藥 양陽阳洋良 언彦 ' +
  '업業业 여如與与麗汝 연連连延妍蓮衍淵渊姸燕娟 열烈悅悦 염廉 엽燁葉叶 영英永榮荣泳映瑛寧宁影暎 예禮礼藝艺睿 오五 옥玉沃 온溫温 완完 왕旺 요耀要 용勇龍龙容鏞用溶 우宇雨佑祐友愚禹羽 ' +
  '욱旭煜郁 운雲云運运 웅雄 원元源遠远原媛院園园 월月 위偉伟 유有裕柔維维由 육六育 윤允潤润胤 율律栗 은恩銀银殷 을乙 음音 응應应 의義义意宜毅 이二以 익益翊 인仁寅人麟 일一日逸鎰 ' +
  '임任 입立 자子慈 작作 장長长章璋 재在才載载宰材再財 전全田 절節 정正政貞贞廷晶靜静情定禎祯楨炡 제濟济帝 조祖朝造照 종鍾钟宗鐘種从從 좌佐 주柱珠周主洲宙 준俊準准浚埈濬駿骏 중中重仲 ' +
  '즙楫 증曾 지智志知芝枝之地 직直稷 진鎭镇鎮眞真進进珍振辰震晉晋 질質 집集 징澄 차次 찬贊赞燦灿讚 창昌彰滄 채彩采 책策 천天千泉川 철哲喆鐵铁澈 청淸清靑青 초初 총總 추秋 춘春 ' +
  '출出 충忠充 치致治 친親亲 칠七 쾌快 탁卓鐸 탄坦 태泰太兌 택澤泽宅 통通 파波 팔八 평平 표杓 풍豊丰風风 필弼必 하夏河荷 학學学鶴鹤 한漢汉韓韩翰 해海亥 행幸行 향香 헌憲宪獻献 혁赫革爀 ' +
  '현賢贤鉉铉顯显現现玄炫 협協协 형亨衡炯 혜惠慧 호浩鎬镐虎湖豪昊皓好 홍洪弘紅红 화和花華华化 환煥焕桓環环 황黃黄 회會会 효孝曉晓 후厚 훈勳勋薰訓训勛 휘輝辉 휴休 흔欣 흠欽 흥興兴 희熙喜姬嬉希';

function buildReadings(table: string): ReadonlyMap<string, string> {
  const readings = new Map<string, string>();
  for (const entry of table.split(' ')) {
    const [reading = '', ...characters] = [...entry];
    for (const character of characters) if (!readings.has(character)) readings.set(character, reading);
  }
  return readings;
}

const SURNAME_READINGS = buildReadings(SURNAMES);
const GIVEN_NAME_READINGS = buildReadings(GIVEN_NAMES);

/**
 * A name in Chinese characters as a Korean reads it, in Hangul: `金正恩` is 김정은. Null unless the first character is a
 * Korean surname and the others, at most three, are characters of given names.
 */
export function readAsKorean(name: string): string | null {
  const [first = '', ...others] = [...name.normalize('NFKC').replace(/[\s·・]+/gu, '')];
  const surname = SURNAME_READINGS.get(first);
  if (surname === undefined || others.length === 0 || others.length > 3) return null;
  const given = others.map((character) => GIVEN_NAME_READINGS.get(character));
  return given.includes(undefined) ? null : surname + given.join('');
}
