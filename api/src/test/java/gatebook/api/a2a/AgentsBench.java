package gatebook.api.a2a;

import gatebook.api.load.BenchRequests;
import gatebook.api.load.GatebookProcess;
import gatebook.api.load.Nginx;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Subject;
import gatebook.api.load.Subject.Kind;
import gatebook.api.load.SubjectRounds;
import gatebook.api.load.Wrk;
import gatebook.events.bench.Bench;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Agents, in ten minutes: a message for which no caller waits and a read of a task go to an agent
 * directly, behind nginx, and through Gatebook. It needs {@code wrk} and {@code nginx}.
 */
final class AgentsBench {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64);
  private static final String SEND =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER",\
      "messageId":"m-%n","parts":[{"text":"12 pieces of A-102934 to the north warehouse"}]},\
      "configuration":{"returnImmediately":true}}}\
      """;
  private static final String WORKING = "TASK_STATE_WORKING";
  private static final Pattern TASK_ID = Pattern.compile("\"id\":\"(task-\\d+)\"");

  private AgentsBench() {}

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk", "nginx");
    Path directory = bench.directory();
    try (PeerProcess peer = PeerProcess.start(bench, "agent")) {
      URI agent = peer.resolve("/agent");
      Files.writeString(directory.resolve("gatebook.yaml"), rules(agent));
      try (Nginx nginx = Nginx.before(agent, directory);
          GatebookProcess gatebook = GatebookProcess.start(bench.root(), directory, "measured")) {
        new SubjectRounds(
                CONNECTIONS,
                new Wrk(directory),
                gatebook,
                peer,
                subjects(agent, nginx.url(), gatebook))
            .measure();
      }
    }
  }

  private static String rules(URI agent) {
    return """
    schema: 1
    sources: [{id: agent, kind: a2a, url: "%s"}]
    governance: {defaults: {action: forward}}
    """
        .formatted(agent);
  }

  private static List<Subject> subjects(URI agent, URI nginx, GatebookProcess gatebook) {
    URI through = gatebook.resolve("/a2a/agent/v1");
    String get =
        """
        {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"%s"}}\
        """
            .formatted(taskMadeThrough(through));
    return List.of(
        new Subject("send, to the agent", agent, SEND, WORKING, Kind.PROXIED),
        new Subject("send, behind nginx", nginx, SEND, WORKING, Kind.PROXIED),
        new Subject("send, through Gatebook", through, SEND, WORKING, Kind.FORWARDED),
        new Subject("get, from the agent", agent, get, WORKING, Kind.PROXIED),
        new Subject("get, behind nginx", nginx, get, WORKING, Kind.PROXIED),
        new Subject("get, through Gatebook", through, get, WORKING, Kind.FORWARDED));
  }

  /** The id of a task that the caller of the benchmark may read. */
  private static String taskMadeThrough(URI gatebook) {
    String answer = BenchRequests.post(gatebook, Map.of(), SEND.replace("%n", "first")).body();
    Matcher id = TASK_ID.matcher(answer);
    if (!id.find()) {
      throw new IllegalStateException("no task is made: " + answer);
    }
    return id.group(1);
  }
}
