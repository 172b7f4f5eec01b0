// 2,048 common English words with three to eight letters. No two begin with the same four letters.
const WORDS = `
able accent account acorn action actor actual adapt adjust admit adult advance advice affair afraid agent
airport aisle alarm album alert algebra alien alive allow almond alpine amaze amber amount ample amuse
anchor ancient angel angle animal ankle annual answer antenna antique anvil apple april apron arcade arch
arctic area arena argue arm armor army around arrive arrow art artist ash asleep athlete atlas atom attend
attic august author autumn avenue avocado avoid awake award awning axis axle baby bachelor back bacon badge
bag bake balance balcony ball bamboo banana band banjo bank banner bar barber bark barley barn barrel base
basic basket bass bat batch bath battery bay bead beak beam bean beard beast beat beauty beaver bed bee beef
beetle belief bell belt bench bend best bicycle big bike bill bind biology birch bird birth biscuit bison
black blade blank blast blaze blend bless blink block blonde bloom blossom blouse blow bluff boat body boil
bold bolt bone bonfire bonus book boot border borrow boss botany bottle bounce bow bowl box boxer boy
bracelet brain brand brass brave bread breeze brick bride brief bright bring brisk broad broccoli bronze
brook brother brown brush bubble bucket bud budget buffalo bugle build bulb bull bundle bunny burger bus
bush busy butcher butter buyer buzz cabbage cabin cable cactus cafe cage cake calf call calm camel camp
canal candy canoe canvas canyon cap cape captain car caramel carbon card care cargo carnival carpet carry
cart carve case cashew casino castle casual cat catalog catch cattle cave ceiling celery cello cement center
chain chalk champion chance chapel charm chase check cheek chef cherry chess chew chicken chief child
chimney chin chip chisel choir choose chorus cider cinema cinnamon circle citizen city civil claim clam clap
clarinet class clay clean clerk clever cliff climb clinic clip cloak clock close cloth cloud clover clown
club clue coach coal coast coat cobbler cocoa code coffee coil coin cold collar color colt column comb come
comfort comic common company concert condor cone connect contact cook cool copper copy coral cord core cork
corn correct cosmic cost cotton couch cough count couple court cousin cover cow coyote crab crack cradle
craft crane crater crayon cream creek crew cricket crisp critic crop cross crow cruise crumb crush crystal
cube cucumber culture cup cupboard curious curl curry curtain curve cushion custom cut cycle cypress dad
daily dairy daisy dam dance daring dark dash date daughter dawn day deal debate decade decent deck decorate
deep defend delight delta denim dentist depend depth deputy desert design desk dessert develop device devote
diagram dial diamond diary dice diesel diet differ digital dinner dinosaur diploma direct dirt disco dish
disk display ditch dive divide dizzy dock doctor dog doll dolphin domain domino donkey door dose double
dough dove down dozen draft dragon drain drama draw dream dress drift drill drink drive drop drum dry duck
duet dune dust duty dwarf dynamo eager eagle ear early earn earth easel east easy eat echo eclipse economy
edge edit educate effect effort egg elbow elder elect elegant element elephant elevator elf elk elm ember
emerald emotion emperor empire employ enamel end endless energy engage engine engrave enjoy enough enter
entire entry envelope equal equip era erase errand escape essay estate event evolve exam excite excuse
exhibit exit exotic expand explain export express extend extra eye fabric face fact fairy faith falcon fall
fame family famous fan fancy fantasy far farm fashion fast father faucet favor feather federal feed feel
fellow fence fern ferry festival fetch fiber fiction fiddle field fig figure file fill film filter final
finger fire firm first fish fit five fix flag flake flame flannel flap flash flat flavor flax fleet flex
flight flint float flock flood flow fluent fluid flute fly foam focus fog foil fold folk follow food foot
force forest forget fork form fort forum forward fossil found fox frame free freight fresh friend fringe
frog front frost frozen fruit fuel full fun funny furnace future gadget galaxy gallon game garage garden
garlic garment gas gate gather gauge gazelle gear gem general genius gentle genuine geology gesture geyser
giant gift giggle ginger giraffe girl glacier glad glance glass glaze glide glitter globe glory glove glow
glue goal goat gold golf gondola gong good goose gorilla gossip gown grace grade grain grammar grand grape
grass gravy gray great green grid grill grin grip grocery groove group grove grow guess guide guitar gulf
gum guru gym habit half hall halo hammer hamster hand hang happy harbor hard harmony harness harp harvest
hat hatch hawk hazel head health heap heart heat heavy hedge height helium helmet help hen herb hermit hero
hidden high hike hill hinge hip hippo hire history hobby hockey holiday holly home honey hood hoof hook hope
horizon horn horse hospital host hotel house hover huge hull human humble humor hundred hunt hurdle husband
husky hut hybrid hydrant ice iceberg icicle icon idea igloo image impact import impress inch income indigo
indoor infant inform inhale initial ink inlet inner input insect inside inspect install intact invent invite
iris iron island issue ivory ivy jacket jaguar jam january jar jasmine javelin jaw jazz jeans jelly jewel
jigsaw job jockey jog join joke jolly journal joy jubilee judge juggle juice july jumbo jump june jungle
junior jury kale kangaroo karate kayak keen kennel kernel kettle key keyboard kidney kilo kimono kiosk
kitchen kite kitten kiwi knee knife knit knob knock koala label labor lace ladder lady lagoon lake lamb lamp
land lane language lantern lap large lark laser last late latin laugh laundry laurel lavender law lawn
lawyer layer lead leaf league learn leather leave lecture ledge left leg legal legend lemon lend length lens
leopard letter level liberty library license life lift light like lilac lily limb lime limit line link lion
lip liquid list liter little live lizard llama load loaf lobby lobster local lock lodge log logic long look
loop loose lot lotus loud lounge love low loyal lucky luggage lullaby lumber lunar lunch lung luxury lyric
machine magazine magic magnet magpie major make mammal manage mandolin mango manner mansion mantle manual
maple marble march margin marine mark marmot maroon marry marsh marvel mascot mask mason master mat match
math matter maximum may mayor maze meadow meal mean measure mechanic medal media melon melt member memory
mend mention menu mercury merge merit merry message metal meter method metro middle midnight might mild mile
milk mill mimic mind mineral mingle minimum minor mint minute miracle mirror mist mitten mix mobile model
modify moment monarch monday monitor monkey month moon moral more morning mosaic moss motel moth motion
motor mound mouse mouth move movie much mud muffin mug mule museum mushroom music mustard mutual myself
mystery nail name napkin narrow nation nature navy neat neck nectar needle neighbor neither nephew nerve
nest network neutral news nice nickel niece nimble nine noble nod noise nomad noodle noon normal north nose
notable note notice novel number nurse nut nutmeg nylon oak oar oasis oat obey object oboe observe obtain
obvious ocean october offer office often oil olive omelet once onion online only onset opal open opera
opinion oppose option oracle orange orbit orchid order ore organ origin ornament ostrich other otter ounce
outdoor outfit outlet output outside oval oven over owl owner oxygen oyster ozone pace pack paddle page
paint palace palm pancake panda panel panic pants papaya paper parade parcel parent park parrot parsley part
pass past patch path patio patrol pattern pave pay payment pea peach peak peanut pearl pebble pecan pedal
pelican pen pencil pendant penguin penny people pepper perfect period permit person pet petal phone photo
phrase physics piano pick picnic picture pie pigeon pillar pilot pin pine pink pioneer pipe pitch pixel
pizza place plan plastic plate play plaza please pledge plenty plot plow pluck plug plum plus pocket poem
poet point polar pole polish pollen pond pony pool popcorn poplar poppy popular porch port post pot potato
pottery pouch powder power praise predict prefer prepare press pretty prevent price pride primary print
prism private prize process produce profit program project promise proof proper protect proud prove public
puddle puffin pull pulp pulse pump punch pupil puppy purple purse push puzzle pyramid python quail quality
quantum quart query quest quick quiet quill quince quit quiz quota rabbit raccoon race radar radio raft rail
rainbow raise rally ramp ranch random range rank rapid rare rate rather raven ravine raw razor reach ready
real reason recall receive recipe record recycle reduce reef refer reflect reform refresh refuge regard
region regret regular relax release relief rely remain remedy remind remote render renew rent repair repeat
reply report request rescue reserve resist resort respect rest result retail retire return reveal review
reward rhino rhythm rib ribbon rice rich ride ridge ring rinse ripe ripple rise ritual rival river roar
roast robe robin robot rock rodeo roof room rope rotate round routine rover row royal ruby rudder rug rugby
rule rumble run runner rural rush rustic rye sack saddle safari safe saffron saga sailor salad salmon salon
salt salute same sample sand sapphire sardine satin saturn sauna sausage savanna save say scale scan scarf
scent school science scissors scoop scope score scout scrap screw script scroll sculptor seal search season
seat second secret section secure seed seek segment seldom select sell semester senate send senior sense
sentence sequel series serve session set settle seven shade shallow shampoo shape share shed sheep shelf
sheriff shield shift shine ship shirt shoe shop shore shout shovel show shrimp shrub shuttle side sign
silence silk silly silver similar simple since sing siren sister six size skate sketch ski skill skin skirt
sky slate sled sleep slice slide slip slogan slope slow small smart smell smile smoke smooth snack snail
snap sneaker snow soap soccer social sock soda sofa soft soil solar soldier solid solo solve song sonnet
soon sort sound soup source south space spade spaniel spare speak special speed spell spend sphere spice
spike spin splash split sponge spoon sport spot spray spread spring sprout spruce square squid stable
stadium staff stage stamp stand star state stay steak steep stem step stereo stick still stitch stock
stomach stone stool store stove straw stream strip strong study stuff stump style subject submit subway
success such sudden sugar suggest suit sultan summer sunday sunset super supper sure surf surprise survey
sushi swallow swamp swan sweater sweet swift swim swing switch symphony syrup system table tackle tailor
take talent talk tall tandem tango tank tape target tarot task taste tavern taxi teach teapot tech teeth
tell tempo ten tenant tender tennis tenor tent term terrace test text thank thaw theater theme theory thick
thimble thing third thistle thorn three thrive throw thumb thunder thursday thyme ticket tidy tie tiger tile
timber time tin tinsel tiny tip tire tissue title toast today toffee together tomato tomorrow tone tongue
tonight tool tooth top topaz topic torch tornado tortoise total touch tough tour towel town toy track trade
traffic trail transit travel tray treat tree trend trial tribe trick trigger trim trio trip trolley trombone
trophy trot trout truck true trumpet trunk trust truth try tub tube tuesday tulip tuna tundra tune tunnel
turkey turn turtle tutor tuxedo twelve twenty twice twig twin twist type typical umbrella unable uncle under
unfold unicorn uniform union unique unit universe unlock until unusual update upgrade uphold upon upper
upright upset urban urchin use useful usher usual utensil vacant vacuum valid valley value valve van vanilla
vapor variety vase vast vault vector velvet vendor verb verify verse vessel veteran viaduct vibrant victory
video view villa vine vintage vinyl viola virtue visit visual vital vivid vocal voice volcano volley volume
vote vowel voyage wafer waffle wage wagon wake walk wall walnut walrus waltz wander want warm wash watch
water wave wax way wealth weasel weave wedding weed weekend welcome well west wet whale wheat wheel when
where while whisper white wide widget width wife wild will win wind wine wing winner winter wire wisdom wise
wish witness wizard wolf woman wonder wool word work world worry worth wrap wreath wren wrist yacht yard
yarn yawn year yeast yellow yes yield yoga yogurt yolk youth yummy zebra zenith zero zest zigzag zinc zipper
zone zoo zoom
`
  .trim()
  .split(/\s+/);

/** The number of bits that one word encodes. */
export const WORD_BITS = 11;

/** @param index from 0 to 2,047 */
export function wordAt(index: number): string {
  const word = WORDS[index];
  if (word === undefined) throw new RangeError(`There is no word ${index}.`);
  return word;
}
