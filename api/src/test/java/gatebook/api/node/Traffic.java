package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.gateway.BearerToken;
import gatebook.api.load.PacedLoad;
import gatebook.api.load.Sample;
import gatebook.api.load.Wrk;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Traffic as it is: each call with a correlation id and a trace of its own, 1,000 principals, 50
 * tools, arguments of 1 KB. Nine calls of ten are denied, the others have an answer of 10 KB.
 */
final class Traffic {
  private static final int PRINCIPALS = 1_000;
  private static final int DENIED_TOOLS = 45;
  private static final int FORWARDED_TOOLS = 5;
  private static final int TEXT_CHARS = 900;
  private static final List<String> WORDS =
      List.of("the", "order", "of", "twelve", "boxes", "leaves", "north", "on", "Tuesday", "and");

  private final Wrk wrk;
  private final Path script;

  Traffic(Path directory) throws IOException {
    this.wrk = new Wrk(directory);
    this.script = directory.resolve("traffic.lua");
    try (InputStream in =
        Objects.requireNonNull(Traffic.class.getResourceAsStream("traffic.lua"))) {
      Files.write(script, in.readAllBytes());
    }
  }

  /** The rules, with all principals. */
  static String rules(URI stub) {
    StringBuilder rules = new StringBuilder();
    rules.append(
        """
        schema: 1
        sources:
          - {id: stub, kind: mcp, url: "%s", expose: {mode: all}}
        governance:
          defaults: {action: deny}
          rules:
            - {match: "delete_*", action: deny}
            - {match: "get_*", action: forward}
        principals:
        """
            .formatted(stub));
    for (int number = 1; number <= PRINCIPALS; number++) {
      rules.append(
          "  - {name: agent-%d, token_hash: \"sha256:%s\"}\n"
              .formatted(
                  number, HexFormat.of().formatHex(BearerToken.hash(token(number)).toArray())));
    }
    return rules.toString();
  }

  private static String token(int principal) {
    return "token-of-agent-" + principal;
  }

  /** The correlation id of a call that {@link #load} made with this seed. */
  static String correlationId(int seed, long number) {
    return "load-%d-%d".formatted(seed, number);
  }

  /** Loads a server from so many connections, and says so when calls fail. */
  Sample load(URI url, int seed, boolean varies, int connections, int seconds)
      throws IOException, InterruptedException {
    Sample sample =
        wrk.run(
            url,
            script,
            connections,
            seconds,
            List.of(
                Integer.toString(seed),
                varies ? "varies" : "same",
                Integer.toString(PRINCIPALS),
                Integer.toString(DENIED_TOOLS),
                Integer.toString(FORWARDED_TOOLS)));
    if (sample.statuses() > 0 || sample.broken() > 0) {
      print(
          "WRONG: %d answers have a status of 400 and above, %d are missing",
          sample.statuses(), sample.broken());
    }
    return sample;
  }

  /** The same traffic, for a load at a pace. */
  static IntFunction<PacedLoad.Request> requests(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    while (text.length() < TEXT_CHARS) {
      text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
    }
    String filler = text.toString();
    return number -> request(new Random(seed + number), seed, number, filler);
  }

  private static PacedLoad.Request request(Random random, long seed, int number, String filler) {
    boolean isForwarded = number % 10 == 0;
    return new PacedLoad.Request(
        """
        Authorization: Bearer %s
        X-Correlation-Id: paced-%d-%d
        traceparent: 00-%016x%016x-%016x-01
        """
            .formatted(
                token(1 + random.nextInt(PRINCIPALS)),
                seed,
                number,
                random.nextLong(),
                random.nextLong(),
                random.nextLong()),
        """
        {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s_%d",\
        "arguments":{"order":%d,"text":"%s"}}}\
        """
            .formatted(
                number,
                isForwarded ? "get_report" : "delete_record",
                1 + random.nextInt(isForwarded ? FORWARDED_TOOLS : DENIED_TOOLS),
                number,
                filler));
  }
}
