// How a frontend asks a policy without a server: an observation and a mask go in, probabilities come out.
// `duel.onnx` and `positions.json` are written by `fm-env export policy:duel --onnx ... --positions ...`.

const $ = (id) => document.getElementById(id);
let session, data, at = 0;

/** Probabilities of the legal actions, by id. */
async function ask(observation, legal) {
  const mask = new Uint8Array(data.num_actions);
  for (const id of legal) mask[id] = 1;
  const answer = await session.run({
    observation: new ort.Tensor("float32", Float32Array.from(observation), [1, observation.length]),
    action_mask: new ort.Tensor("bool", mask, [1, mask.length]),
  });
  return answer.probabilities.data;
}

async function show(step) {
  at = Math.max(0, Math.min(step, data.positions.length - 1));
  const position = data.positions[at];
  const chances = await ask(position.observation, position.choices.map((choice) => choice.id));
  $("where").textContent = `position ${at + 1} of ${data.positions.length}, eyes of seat ${position.seat}`;
  $("text").textContent = position.text;
  const ranked = [...position.choices].sort((a, b) => chances[b.id] - chances[a.id]);
  $("choices").replaceChildren(...ranked.map((choice) => {
    const line = document.createElement("li");
    line.style.setProperty("--p", chances[choice.id]);
    line.append(choice.words, Object.assign(document.createElement("b"), { textContent: `${(100 * chances[choice.id]).toFixed(1)} %` }));
    return line;
  }));
  const worst = Math.max(...position.choices.map((choice) => Math.abs(choice.probability - chances[choice.id])));
  $("check").textContent = `Differs from Python by at most ${worst.toExponential(1)}.`;
  $("check").dataset.worst = worst;
  $("check").dataset.at = at;
}

async function begin() {
  ort.env.wasm.wasmPaths = new URL("vendor/", location.href).href;
  ort.env.wasm.numThreads = 1; // more threads need a page that is cross-origin isolated
  try {
    [session, data] = await Promise.all([
      ort.InferenceSession.create("duel.onnx"),
      fetch("positions.json").then((answer) => { if (!answer.ok) throw new Error(`positions.json: ${answer.status}`); return answer.json(); }),
    ]);
    await show(0);
  } catch (error) {
    $("text").textContent = `Not ready: ${error.message}\nRun \`make browser-example\` first.`;
  }
}

$("back").onclick = () => show(at - 1);
$("on").onclick = () => show(at + 1);
$("file").onchange = async (event) => {
  try {
    const own = JSON.parse(await event.target.files[0].text());
    if (!Array.isArray(own.positions)) throw new Error("expected a field positions, as in positions.json");
    data = own;
    await show(0);
  } catch (error) { $("check").textContent = error.message; }
};
if (window.ort) begin();
else $("text").textContent = "vendor/ort.wasm.min.js is missing: run `make browser-example` first.";
