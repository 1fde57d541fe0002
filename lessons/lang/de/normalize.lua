--: `normtutor translate` keeps this file in step with the lesson, and makes the lines that begin with --: anew.
--: They hold the lesson's own words. Words that are empty are not translated yet: the lesson's own are shown.
--: `of` says which words were translated; where it is missing, those that the lesson has now.
return {

  --: Normalize one token
  ["title"] = { "Ein Token normalisieren", of = "c00b9c85" },

  --: You will be able to normalize a token by hand: its mean, its variance, the root, the division.
  --:
  --: You will also know two things that the formula does not say aloud: why it matters that the variance is divided by n, and how large
  --: a normalized number can get at most.
  --:
  --: You need Python's `sum` and `len`, and square roots. Paper helps.
  ["goal"] = { [[
Danach kannst du ein Token von Hand normalisieren: sein Mittelwert, seine Varianz, die Wurzel, die Division.

Du weißt dann auch zwei Dinge, die die Formel nicht laut sagt: warum es darauf ankommt, dass die Varianz durch n geteilt wird, und wie groß
eine normalisierte Zahl höchstens werden kann.

Du brauchst Pythons `sum` und `len` und Quadratwurzeln. Papier hilft.
]], of = "5c9849ec" },

  --: - `normalized = (x - mean) / sqrt(var + eps)`, for each token from its own numbers.
  --: - The variance is the *biased* one: the mean of the squared distances, divided by n and not by n - 1.
  --: - The result has mean 0 and deviation 1, unless the variance is tiny: eps is for that. The learned scale and bias that follow have a
  --:   lesson of their own.
  --: - Adding a number to all features, or multiplying all by one above 0, does not change the result (eps aside).
  --:   One below 0 reverses the signs.
  --: - With n features no result goes beyond `sqrt(n - 1)`.
  ["remember"] = { [[
- `normalized = (x - mean) / sqrt(var + eps)`, für jedes Token aus seinen eigenen Zahlen.
- Die Varianz ist die *verzerrte*: der Mittelwert der quadrierten Abstände, geteilt durch n und nicht durch n - 1.
- Das Ergebnis hat den Mittelwert 0 und die Standardabweichung 1, außer wenn die Varianz winzig ist: dafür ist eps da. Scale und bias, die
  gelernt werden und danach kommen, haben eine eigene Lektion.
- Zu allen Merkmalen eine Zahl zu addieren oder alle mit einer über 0 zu multiplizieren ändert das Ergebnis nicht (von eps abgesehen). Eine
  unter 0 kehrt die Vorzeichen um.
- Bei n Merkmalen geht kein Ergebnis über `sqrt(n - 1)` hinaus.
]], of = "91488554" },

  --: Subtract the mean, divide by the deviation: layer norm by hand, and how far it can go.
  ["about"] = { "Mittelwert abziehen, durch die Standardabweichung teilen: Layer Norm von Hand, und wie weit sie gehen kann.", of = "17e4f6c9" },

  --: Column by column
  ["columns.title"] = { "Spalte für Spalte", of = "3ce38158" },

  --: Layer norm turns the **token** {x} into {(nn.layer_norm(x))}.
  --:
  --: - **centred**: each number (a *feature*) minus the mean ({x:mean()}).
  --: - **var**: the mean of the squares; this is the *variance*, {x:var()}.
  --: - **1/√(var+ε)**: one over the *deviation* (std), the root of var. ε is 0.00001.
  --: - **normalized**: centred times that.
  --:
  --: Change one number. Do the results of the others stay?
  ["columns.text"] = { [[
Layer Norm macht aus dem **Token** {x} die Zahlen {(nn.layer_norm(x))}.

- **zentriert**: jede Zahl (ein *Merkmal*) minus den Mittelwert ({x:mean()}).
- **var**: der Mittelwert der Quadrate; das ist die *Varianz*, {x:var()}.
- **1/√(var+ε)**: 1 durch die *Standardabweichung*, √var. ε ist 0.00001.
- **normalisiert**: zentriert mal das.

Ändere eine Zahl. Bleiben die Ergebnisse der anderen?
]], of = "4717f45e" },

  --: The mean
  ["mean.title"] = { "Der Mittelwert", of = "ffadc00e" },

  --: The same as a program:
  --:
  --:     n = len(x); mean = sum(x) / n
  --:     var = sum((v - mean)**2 for v in x) / n
  --:     std = sqrt(var + 1e-5)
  --:     normalized = [(v - mean) / std for v in x]
  --:
  --: Now by hand: what is the mean of {x}?
  ["mean.text"] = { [[
Dasselbe als Programm:

    n = len(x); mean = sum(x) / n
    var = sum((v - mean)**2 for v in x) / n
    std = sqrt(var + 1e-5)
    normalized = [(v - mean) / std for v in x]

Jetzt von Hand: was ist der Mittelwert von {x}?
]], of = "18d1c310" },

  --: {got} is the number in the middle. The mean is all of them added, over how many there are.
  ["mean.middle.say"] = { "{got} ist die Zahl in der Mitte. Der Mittelwert ist die Summe aller Zahlen, geteilt durch ihre Anzahl.", of = "cbaa23f9" },

  --: {got} is all {#x} added up. One step is missing: divide by {#x}.
  ["mean.sum.say"] = { "{got} ist die Summe aller {#x} Zahlen. Ein Schritt fehlt: teile durch {#x}.", of = "74c7429f" },

  --: You divided the sum by n - 1 = {#x - 1}. There are {#x} numbers: divide by {#x}.
  ["mean.less.say"] = { "Du hast die Summe durch n - 1 = {#x - 1} geteilt. Es sind {#x} Zahlen: teile durch {#x}.", of = "0d157888" },

  --: {got} is half-way between the smallest and the largest. The others count too.
  ["mean.ends.say"] = { "{got} liegt in der Mitte zwischen der kleinsten und der größten. Die anderen zählen auch.", of = "60efda6f" },

  --: Add the {#x} numbers.
  ["mean.hints.1"] = { "Addiere die {#x} Zahlen.", of = "0cfaa5c4" },

  --: The sum is {x:sum()}. Divide it by how many numbers there are.
  ["mean.hints.2"] = { "Die Summe ist {x:sum()}. Teile sie durch die Anzahl der Zahlen.", of = "19453ffc" },

  --: The sum is {x:sum()}, and {x:sum()} / {#x} = {answer}.
  ["mean.why"] = { "Die Summe ist {x:sum()}, und {x:sum()} / {#x} = {answer}.", of = "133c51b6" },

  --: The variance
  ["variance.title"] = { "Die Varianz", of = "3a08c717" },

  --: The columns open when you have answered.
  --:
  --: A token is {x}. What is its variance, as layer norm takes it?
  ["variance.text"] = { [[
Die Spalten öffnen sich, wenn du geantwortet hast.

Ein Token ist {x}. Was ist seine Varianz, so wie Layer Norm sie nimmt?
]], of = "4ea68d36" },

  --: You divided the sum of squares by n - 1 = {#x - 1}, as Python's `statistics.variance` does. Layer norm divides by n = {#x}.
  ["variance.unbiased.say"] = { "Du hast die Summe der Quadrate durch n - 1 = {#x - 1} geteilt, wie Pythons `statistics.variance`. Layer Norm teilt durch n = {#x}.", of = "077128c6" },

  --: {got} is the deviation. The variance is what stands under the root: do not take the root yet.
  ["variance.deviation.say"] = { "{got} ist die Standardabweichung. Die Varianz ist das, was unter der Wurzel steht: zieh die Wurzel noch nicht.", of = "9c3abed1" },

  --: That is a deviation, by n - 1 = {#x - 1}, as Python's `statistics.stdev` takes it. Divide by n = {#x}, and do not take the root.
  ["variance.stdev.say"] = { "Das ist eine Standardabweichung mit n - 1 = {#x - 1}, wie Pythons `statistics.stdev` sie nimmt. Teile durch n = {#x}, und zieh die Wurzel nicht.", of = "b9d3a74e" },

  --: {got} is the sum of the squares. Divide it by n = {#x}.
  ["variance.sum.say"] = { "{got} ist die Summe der Quadrate. Teile sie durch n = {#x}.", of = "73b64d25" },

  --: That is the mean of the squares of the numbers themselves. Subtract the mean, {x:mean()}, before you square.
  ["variance.uncentred.say"] = { "Das ist der Mittelwert der Quadrate der Zahlen selbst. Zieh den Mittelwert, {x:mean()}, ab, bevor du quadrierst.", of = "8b3ccb21" },

  --: {got} is the mean distance from the mean. Square the distances, then average.
  ["variance.distance.say"] = { "{got} ist der mittlere Abstand vom Mittelwert. Quadriere die Abstände, dann mittle.", of = "83ac9f5b" },

  --: The distances from the mean always add up to 0. Square them first.
  ["variance.zero.say"] = { "Die Abstände vom Mittelwert ergeben zusammen immer 0. Quadriere sie zuerst.", of = "6216f8e2" },

  --: Start with the mean, and subtract it from each of the numbers.
  ["variance.hints.1"] = { "Beginne mit dem Mittelwert und zieh ihn von jeder Zahl ab.", of = "4b26e872" },

  --: The mean is {x:mean()}, which leaves {c}. Square these.
  ["variance.hints.2"] = { "Der Mittelwert ist {x:mean()}; es bleiben {c}. Quadriere diese.", of = "5524cf61" },

  --: The squares are {c * c}. Take their mean.
  ["variance.hints.3"] = { "Die Quadrate sind {c * c}. Nimm ihren Mittelwert.", of = "bfee7332" },

  --: The distances are {c}, their squares add up to {squares}, and {squares} / {#x} = {answer}.
  ["variance.why"] = { "Die Abstände sind {c}, ihre Quadrate ergeben zusammen {squares}, und {squares} / {#x} = {answer}.", of = "62f86c90" },

  --: By n, or by n - 1?
  ["divisor.title"] = { "Durch n oder durch n - 1?", of = "c7d7f0d8" },

  --: Layer norm divides the sum of squares by n. Statistics often takes n - 1, the *unbiased* variance.
  --:
  --: With n - 1, the numbers that layer norm makes of {x} would …
  ["divisor.text"] = { [[
Layer Norm teilt die Summe der Quadrate durch n. In der Statistik nimmt man oft n - 1, die *erwartungstreue* Varianz.

Mit n - 1 würden die Zahlen, die Layer Norm aus {x} macht, …
]], of = "6094cb80" },

  --: divide by
  ["divisor.knobs.by.label"] = { "geteilt durch", of = "f550de5f" },

  --: n
  ["divisor.knobs.by.names.n"] = { "n", of = "bdea8404" },

  --: n - 1
  ["divisor.knobs.by.names.less"] = { "n - 1", of = "aa68840c" },

  --: var
  ["divisor.show.1.head.1"] = { "var", of = "ae93415a" },

  --: normalized
  ["divisor.show.1.head.2"] = { "normalisiert", of = "ae9edac5" },

  --: deviation after
  ["divisor.show.1.head.3"] = { "Abweichung danach", of = "93096054" },

  --: y1
  ["divisor.show.2.names.1"] = { "y1", of = "cfe7b934" },

  --: y2
  ["divisor.show.2.names.2"] = { "y2", of = "cfe9744f" },

  --: y3
  ["divisor.show.2.names.3"] = { "y3", of = "cfead366" },

  --: y4
  ["divisor.show.2.names.4"] = { "y4", of = "cfd6cb79" },

  --: y5
  ["divisor.show.2.names.5"] = { "y5", of = "cfeec290" },

  --: The five normalized numbers as bars around zero.
  ["divisor.show.2.alt"] = { "Die fünf normalisierten Zahlen als Balken um null.", of = "8db99e3c" },

  --: all move away from 0
  ["divisor.away.text"] = { "alle weiter von 0 weg liegen", of = "df18fdcf" },

  --: A smaller divisor makes the *variance* larger, {divided(x, 'less')} instead of {x:var()}, and then you divide by more.
  ["divisor.away.say"] = { "Ein kleinerer Divisor macht die *Varianz* größer, {divided(x, 'less')} statt {x:var()}, und dann teilst du durch mehr.", of = "e9f025cc" },

  --: stay: they are divided by their own deviation
  ["divisor.stay.text"] = { "bleiben: sie werden durch ihre eigene Standardabweichung geteilt", of = "c304a757" },

  --: By a deviation that is too large for them: {sqrt(divided(x, 'less'))}, where theirs is {x:std()}.
  ["divisor.stay.say"] = { "Durch eine Abweichung, die für sie zu groß ist: {sqrt(divided(x, 'less'))}, wo ihre {x:std()} ist.", of = "b2d62980" },

  --: all come nearer to 0
  ["divisor.nearer.text"] = { "alle näher an 0 liegen", of = "e552ae28" },

  --: The deviation after is sqrt((n - 1) / n) = {sqrt((#x - 1) / #x)|3}, not 1. With 4096 features it would be {sqrt(4095 / 4096)|5}, which nobody sees. So the slip hides in
  --: wide models, and shows in small tests.
  ["divisor.why"] = { [[
Die Standardabweichung danach ist sqrt((n - 1) / n) = {sqrt((#x - 1) / #x)|3}, nicht 1. Mit 4096 Merkmalen wäre sie {sqrt(4095 / 4096)|5}, was niemand sieht. So
verbirgt sich der Fehler in breiten Modellen und zeigt sich in kleinen Tests.
]], of = "a2fe7bc7" },

  --: The whole way
  ["vector.title"] = { "Der ganze Weg", of = "1dc871f5" },

  --: Normalize {x}. ε is too small to matter here. You may type calculations: `(8 - 3)/7`.
  ["vector.text"] = { "Normalisiere {x}. ε ist hier zu klein, um etwas auszumachen. Du darfst Rechnungen eingeben: `(8 - 3)/7`.", of = "5ee86135" },

  --: Your variance is divided by n - 1 = {#x - 1}: {divided(x, 'less')}. Divided by n = {#x} it is {x:var()}.
  ["vector.unbiased.say"] = { "Deine Varianz ist durch n - 1 = {#x - 1} geteilt: {divided(x, 'less')}. Durch n = {#x} geteilt ist sie {x:var()}.", of = "7409db1b" },

  --: You divided by the variance, {x:var()}. Divide by its root.
  ["vector.no-root.say"] = { "Du hast durch die Varianz geteilt, {x:var()}. Teile durch ihre Wurzel.", of = "bc1db411" },

  --: The mean is subtracted. Now divide by the root of the variance.
  ["vector.centred.say"] = { "Der Mittelwert ist abgezogen. Teile jetzt durch die Wurzel der Varianz.", of = "c790f7a8" },

  --: You divided the numbers themselves. Subtract the mean, {x:mean()}, first.
  ["vector.uncentred.say"] = { "Du hast die Zahlen selbst geteilt. Zieh zuerst den Mittelwert, {x:mean()}, ab.", of = "428b10e6" },

  --: The mean was never subtracted: you divided by the root of the mean square. That is another norm, RMSNorm.
  ["vector.rms.say"] = { "Der Mittelwert wurde nie abgezogen: du hast durch die Wurzel des mittleren Quadrats geteilt. Das ist eine andere Norm, RMSNorm.", of = "6d4d86cb" },

  --: All your signs are reversed. Subtract the mean from each number, not each number from the mean.
  ["vector.sign.say"] = { "Alle deine Vorzeichen sind vertauscht. Zieh den Mittelwert von jeder Zahl ab, nicht jede Zahl vom Mittelwert.", of = "19b90f3f" },

  --: You took the root of the *sum* of the squares. Divide the sum by n = {#x} first.
  ["vector.sum.say"] = { "Du hast die Wurzel aus der *Summe* der Quadrate genommen. Teile die Summe zuerst durch n = {#x}.", of = "c58404b8" },

  --: You divided by the mean distance, {abs(c):mean()}. Layer norm squares, averages and takes the root: {s}.
  ["vector.distance.say"] = { "Du hast durch den mittleren Abstand geteilt, {abs(c):mean()}. Layer Norm quadriert, mittelt und zieht die Wurzel: {s}.", of = "3c942edc" },

  --: That maps the smallest to 0 and the largest to 1: min-max scaling. Layer norm uses mean and deviation.
  ["vector.min-max.say"] = { "Das bildet die kleinste auf 0 und die größte auf 1 ab: Min-Max-Skalierung. Layer Norm nimmt Mittelwert und Standardabweichung.", of = "a5ec9162" },

  --: First the mean, then the distances from it.
  ["vector.hints.1"] = { "Zuerst der Mittelwert, dann die Abstände von ihm.", of = "cbe29ff6" },

  --: The mean is {x:mean()} and the distances are {c}. What is their variance?
  ["vector.hints.2"] = { "Der Mittelwert ist {x:mean()}, die Abstände sind {c}. Was ist ihre Varianz?", of = "17a6df45" },

  --: The variance is {x:var()}, its root {s}. Divide each distance by it.
  ["vector.hints.3"] = { "Die Varianz ist {x:var()}, ihre Wurzel {s}. Teile jeden Abstand durch sie.", of = "34985a27" },

  --: Each of the distances {c} is divided by sqrt({x:var()}) = {s}. Their squares now have mean 1, which is what *normalized* says.
  ["vector.why"] = { "Jeder der Abstände {c} wird durch sqrt({x:var()}) = {s} geteilt. Ihre Quadrate haben jetzt den Mittelwert 1: das heißt *normalisiert*.", of = "a7b635f4" },

  --: Move it, stretch it
  ["moved.title"] = { "Verschieben, strecken", of = "73389ed0" },

  --: A token x, and the same one *moved*: x times **stretch**, plus **shift**.
  --:
  --: Turn both knobs. Which columns follow the shift, which the stretch, and which neither? What does a stretch below 0 do, and one of 0?
  ["moved.text"] = { [[
Ein Token x, und dasselbe *verschoben*: x mal **stretch**, plus **shift**.

Dreh an beiden Reglern. Welche Spalten folgen der Verschiebung, welche der Streckung, und welche keiner von beiden? Was bewirkt stretch unter 0, was bei 0?
]], of = "d92adcce" },

  --: numbers
  ["moved.show.1.head.1"] = { "Zahlen", of = "583d4262" },

  --: normalized
  ["moved.show.1.head.2"] = { "normalisiert", of = "ae9edac5" },

  --: x
  ["moved.show.1.names.1"] = { "x", of = "bd7df8e2" },

  --: moved
  ["moved.show.1.names.2"] = { "verschoben", of = "76bbb492" },

  --: x
  ["moved.show.2.names.1"] = { "x", of = "bd7df8e2" },

  --: moved
  ["moved.show.2.names.2"] = { "verschoben", of = "76bbb492" },

  --: How far can one go?
  ["far.title"] = { "Wie weit kann eine gehen?", of = "091c548b" },

  --: A token is {x}. Its last number grows: a hundred, a thousand, … a million. The other three stay.
  --:
  --: How far does the last normalized number get?
  ["far.text"] = { [[
Ein Token ist {x}. Seine letzte Zahl wächst: hundert, tausend, … eine Million. Die anderen drei bleiben.

Wie weit kommt die letzte normalisierte Zahl?
]], of = "645ebec3" },

  --: last
  ["far.knobs.far.label"] = { "letzte", of = "f1cdc057" },

  --: token
  ["far.show.1.head.1"] = { "Token", of = "b28b97a6" },

  --: deviation
  ["far.show.1.head.2"] = { "Abweichung", of = "9848382a" },

  --: normalized
  ["far.show.1.head.3"] = { "normalisiert", of = "ae9edac5" },

  --: last number
  ["far.show.2.over.label"] = { "letzte Zahl", of = "307b2eee" },

  --: normalized
  ["far.show.2.lines.1.label"] = { "normalisiert", of = "ae9edac5" },

  --: now
  ["far.show.2.marks.1.label"] = { "jetzt", of = "eaa0772f" },

  --: as far as you like
  ["far.endless.text"] = { "beliebig weit", of = "9becb6de" },

  --: The deviation grows with it. The far number is part of what it is divided by.
  ["far.endless.say"] = { "Die Standardabweichung wächst mit. Die ferne Zahl ist ein Teil dessen, wodurch sie geteilt wird.", of = "46a1ae38" },

  --: up to sqrt(4) = 2
  ["far.length.text"] = { "bis sqrt(4) = 2", of = "6b824e15" },

  --: 2 is the length of the whole normalized row, sqrt(n). The others must stay as far below 0 together as this one is above.
  ["far.length.say"] = { "2 ist die Länge der ganzen normalisierten Zeile, sqrt(n). Die anderen müssen zusammen so weit unter 0 bleiben, wie diese darüber liegt.", of = "c980453b" },

  --: up to sqrt(3) = 1.732
  ["far.limit.text"] = { "bis sqrt(3) = 1.732", of = "2f23e052" },

  --: In the end the other three look alike: [a, a, a, b]. That always gives -0.577 three times and 1.732 once: sqrt(n - 1) deviations, never more.
  ["far.why"] = { "Am Ende sehen die anderen drei gleich aus: [a, a, a, b]. Das ergibt immer dreimal -0.577 und einmal 1.732: sqrt(n - 1) Standardabweichungen, nie mehr.", of = "ab261952" },

  --: With more features
  ["farthest.title"] = { "Mit mehr Merkmalen", of = "c2a0d777" },

  --: A token has {n} features. How large can one of them be at most, once it is normalized?
  ["farthest.text"] = { "Ein Token hat {n} Merkmale. Wie groß kann eines davon höchstens sein, wenn es normalisiert ist?", of = "a104472e" },

  --: That is the length of the whole normalized row. One feature gets a little less: the others must balance it.
  ["farthest.length.say"] = { "Das ist die Länge der ganzen normalisierten Zeile. Ein Merkmal bekommt etwas weniger: die anderen müssen es ausgleichen.", of = "4149f6f3" },

  --: {got} is how large its *square* can be. Take the root.
  ["farthest.no-root.say"] = { "{got} ist, wie groß sein *Quadrat* werden kann. Zieh die Wurzel.", of = "492c7575" },

  --: A far number enlarges the deviation it is divided by. There is a limit.
  ["farthest.endless.say"] = { "Eine ferne Zahl vergrößert die Standardabweichung, durch die sie geteilt wird. Es gibt eine Grenze.", of = "07313e3f" },

  --: Take {n - 1} features that are 0, and one that is {n}. What is the mean?
  ["farthest.hints.1"] = { "Nimm {n - 1} Merkmale, die 0 sind, und eines, das {n} ist. Was ist der Mittelwert?", of = "2210bc4d" },

  --: The mean is 1, the far one is {n - 1} above it. The variance is ({n - 1} * 1 + {n - 1}^2) / {n} = {n - 1}.
  ["farthest.hints.2"] = { "Der Mittelwert ist 1, das ferne liegt {n - 1} darüber. Die Varianz ist ({n - 1} * 1 + {n - 1}^2) / {n} = {n - 1}.", of = "a76539f0" },

  --: One far feature, {n - 1} alike: its distance is {n - 1}, the variance {n - 1}, and {n - 1} / sqrt({n - 1}) = {answer}.
  ["farthest.why"] = { "Ein fernes Merkmal, {n - 1} gleiche: sein Abstand ist {n - 1}, die Varianz {n - 1}, und {n - 1} / sqrt({n - 1}) = {answer}.", of = "329f120a" },

}
