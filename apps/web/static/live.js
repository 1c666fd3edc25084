// The connection of a page to a game: it is made again when it breaks, and goes on from the last position that was shown.

const SLOWEST = 5000;

export class Live {
  #path; #take; #tell; #socket; #query; #failed = 0; #shown = null; #over = false;

  /**
   * @param path of the game's connection.
   * @param query gives its query as pairs of name and value, whenever it is made.
   * @param take is given each message, in order, and awaited; a position counts as shown once it returns.
   * @param tell is called with "open", or "lost" and a sentence; the connection is then tried again.
   */
  constructor(path, query, take, tell) {
    this.#path = path;
    this.#query = query;
    this.#take = take;
    this.#tell = tell;
    this.#connect();
  }

  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Ends the connection for good. */
  end() {
    this.#over = true;
    this.#socket.close();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams(this.#query());
    if (this.#shown !== null) query.set("after", this.#shown);
    const socket = new WebSocket(`${scheme}://${location.host}${this.#path}?${query}`);
    let queue = Promise.resolve(), broken = "";
    const take = async data => {
      if (broken || this.#socket !== socket) return;
      try {
        const message = JSON.parse(data);
        await this.#take(message);
        if (message.type === "position") this.#shown = message.version;
        this.#failed = 0;
      } catch (error) {  // what was shown in part is asked for as a whole
        this.#shown = null;
        broken = error.message;
        socket.close();
      }
    };
    socket.addEventListener("message", ({ data }) => { queue = queue.then(() => take(data)); });
    socket.addEventListener("open", () => this.#tell("open"));
    socket.addEventListener("close", () => queue.then(() => {
      if (this.#over) return;
      this.#failed += 1;
      this.#tell("lost", broken || "The server does not answer. The page tries again …");
      setTimeout(() => this.#connect(), Math.min(SLOWEST, 400 * this.#failed));
    }));
    this.#socket = socket;
  }
}
