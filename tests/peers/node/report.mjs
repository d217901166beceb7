// Opens a report in Chromium and says as JSON what a reader sees: report.mjs --modules DIR CHROMIUM FILE.html
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, modules, executablePath, file] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/")("playwright-core");
const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
// A profile of its own comes with each launch.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...quiet] });
const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, colorScheme: "light" });
const page = await context.newPage();
const requests = [];
const complaints = [];
page.on("request", (request) => requests.push(request.url()));
page.on("console", (message) => complaints.push(message.text()));
page.on("pageerror", (error) => complaints.push(String(error)));
const begin = Date.now();
await page.goto(pathToFileURL(file).href);
await page.waitForSelector("#shown:not(:empty)");
const loaded = Date.now() - begin;

const text = (selector) => page.locator(selector).innerText();
const rows = () =>
  page.$$eval(".row", (found) =>
    found.map((row) => ({ kind: row.className, text: row.querySelector(".wire").textContent, took: row.querySelector(".took").textContent })));
const chosen = () => page.$eval(".row.chosen", (row) => row.querySelector(".wire").textContent);
const ground = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);

const seen = { loaded, title: await page.title(), verdict: await text(".verdict"), command: await text("#command") };
seen.facts = await text("#facts");
seen.shown = await text("#shown");
seen.rows = await rows();
seen.first = await chosen();
seen.firstDetail = await text("#detail");
seen.headers = await page.$$eval(".headers div", (found) => found.map((line) => line.textContent));

const kind = page.locator("#kinds input[name=progress]");
if (await kind.count()) {
  await kind.uncheck();
  seen.filtered = (await rows()).map((row) => row.kind);
  seen.filteredShown = await text("#shown");
  await kind.check();
}

await page.keyboard.press("/");
await page.keyboard.type("ELICITATION/cr");
seen.found = (await rows()).map((row) => row.text);
await page.keyboard.press("Enter");
seen.enter = await chosen();
await page.keyboard.press("p");
seen.mate = await chosen();
await page.keyboard.press("/");
await page.keyboard.press("Escape");
await page.keyboard.press("Home");
seen.home = await chosen();
await page.keyboard.press("ArrowDown");
seen.down = await chosen();
await page.keyboard.press("End");
seen.end = await chosen();

// Folded and unfolded again, by a click.
await page.keyboard.press("Home");
const top = page.locator(".tree > details > summary");
if (await top.count()) {
  const open = async () => page.locator(".tree > details").evaluate((details) => details.open);
  const before = await open();
  await top.click();
  seen.folds = [before, await open()];
  await page.getByRole("button", { name: "As sent" }).click();
  seen.raw = await text(".raw");
}

seen.light = await ground();
await page.emulateMedia({ colorScheme: "dark" });
seen.dark = await ground();
seen.scripts = await page.$$eval("script", (found) => found.length);
seen.images = await page.$$eval("img, iframe, link", (found) => found.length);
seen.complaints = complaints.slice();
// The page's policy holds even for a script that got in.
seen.fetch = await page.evaluate(() => fetch("http://127.0.0.1:9/leak").then(() => "sent", (error) => error.name));
seen.requests = requests;
await browser.close();
console.log(JSON.stringify(seen));
