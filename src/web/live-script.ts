/**
 * The only script of the pages. It polls `…/live` and inserts the answer, which is this server's markup with all text
 * of runs escaped. The content security policy would stop any script in it.
 */
export const liveScript = `'use strict';
(() => {
  const keptEntries = 5000;
  const main = document.querySelector('main');
  const log = document.getElementById('log');
  const earlier = document.getElementById('earlier');
  const bar = document.getElementById('live');
  let after = main.dataset.after;
  let version = main.dataset.version;
  let failures = 0;
  let cutNap = () => {};

  const nap = ms => new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    cutNap = () => { clearTimeout(timer); resolve(); };
  });
  const say = (mood, text) => {
    if (bar.textContent === text) return;
    bar.dataset.mood = mood;
    bar.textContent = text;
  };
  const addressWith = more => {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    return '?' + query;
  };

  // A browser opens at most six connections to a server, so a hidden page must not hold one. After a failure the
  // request does not wait, so that the page soon shows that the connection is back.
  const ask = async () => {
    const query = addressWith({ after, version, wait: document.hidden || failures > 0 ? 'no' : 'yes' });
    const answer = await fetch(location.pathname + '/live' + query, { cache: 'no-store', signal: AbortSignal.timeout(60000) });
    if (answer.status === 403) return undefined;
    if (!answer.ok) throw new Error('status ' + answer.status);
    return answer.json();
  };

  // Unchanged parts stay, so that a screen reader does not repeat them and a selection is kept.
  const showHead = markup => {
    const fresh = document.createElement('template');
    fresh.innerHTML = markup;
    for (const part of fresh.content.children) {
      const shown = document.getElementById(part.id);
      if (shown.innerHTML !== part.innerHTML) shown.innerHTML = part.innerHTML;
      if (part.dataset.title) document.title = part.dataset.title;
    }
  };

  const showEvents = markup => {
    if (markup === '') return;
    const page = document.documentElement;
    const readsEnd = scrollY > 0 && scrollY + innerHeight > page.scrollHeight - 80;
    log.insertAdjacentHTML('beforeend', markup);
    while (log.childElementCount > keptEntries) log.firstElementChild.remove();
    const first = Number(log.firstElementChild.dataset.seq);
    earlier.hidden = first === 1;
    earlier.querySelector('span').textContent = (first - 1).toLocaleString('en');
    earlier.querySelector('a').href = addressWith({ before: first });
    if (readsEnd) scrollTo(0, page.scrollHeight);
  };

  const follow = async () => {
    for (;;) {
      try {
        const page = await ask();
        if (page === undefined) return say('lost', 'This link has expired. npx agent-run open RUN_ID prints a new one.');
        showHead(page.head);
        showEvents(page.events);
        after = page.next_after;
        version = page.version;
        failures = 0;
        if (page.done) return say('over', 'The run is over.');
        say('live', 'Live: this page updates itself.');
        await nap(document.hidden ? 15000 : 300);
      } catch {
        failures += 1;
        say('lost', 'Connection lost. Reconnecting …');
        await nap(Math.min(1000 * 2 ** (failures - 1), 10000) * (0.5 + Math.random() / 2));
      }
    }
  };

  addEventListener('online', () => cutNap());
  document.addEventListener('visibilitychange', () => { if (!document.hidden) cutNap(); });
  say('live', 'Live: this page updates itself.');
  follow();
})();
`;
