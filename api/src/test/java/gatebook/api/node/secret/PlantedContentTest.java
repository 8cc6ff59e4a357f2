package gatebook.api.node.secret;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.RealJournal;
import gatebook.api.node.StoredTexts;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.TreeEvent;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.vocabulary.PlantedEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants texts in all that callers, sources and operators write freely, by every dialect, and in
 * all content of all events. Operators see them; no file of the data directory, and of a database
 * and its log, has one of them in plain. After an erasure only those of its principal are gone.
 */
@Timeout(300)
final class PlantedContentTest {
  private static final String NOBODY = "nobody";
  private static final String MARK = "purple heron in the ";

  /** The beginnings of all texts. */
  private static final List<String> MARKS = List.of(MARK, PlantedEvent.MARK);

  @TempDir private Path folder;

  private final List<String> planted = new CopyOnWriteArrayList<>();

  /** What only the originals have, which are not shown. */
  private final List<String> inOriginals = new ArrayList<>();

  /** Those of the node, and of owners of trees. */
  private final Set<String> ofOthers = new HashSet<>();

  /** The principal whose content is planted. */
  private volatile String principal = NOBODY;

  private String token = NodeCaller.ALICE;
  private final StubServer source = StubServer.each(this::fail);
  private @Nullable WatchedNode started;

  private WatchedNode start(JournalSettings.Location location) throws IOException {
    WatchedNode node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: demo, kind: demo}
              - {id: work, kind: jsonrpc, prefix: work., url: "%s"}
            governance:
              defaults: {action: forward}
              rules:
                - {match: "delete_all", action: deny}
                - {match: "deploy", action: approve, approval: people}
            approval: {people: {timeout: 10m}}
            record: {results: redacted}
            %s
            """
                .formatted(source.url("/"), NodeCaller.people("view, arguments, approve, admin")),
            location);
    started = node;
    return node;
  }

  @AfterEach
  void stop() throws IOException {
    if (started != null) {
      started.close();
    }
    source.close();
  }

  @Test
  void contentIsShownAndInNoFileInPlain() throws IOException {
    WatchedNode node = start(new SegmentLocation(folder.resolve("data/journal")));
    List<Entry> before = plant(node);
    expectNoneInFiles(node.data());
    eraseJoe(node, before);
    node.close();
    expectNoneInFiles(node.data());
  }

  /** The server logs every statement and its parameters. */
  @Test
  void contentIsInNoTableFileOrLogOfPostgres() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Connection administrator = Journals.administrator(server.location())) {
      Statement statement = administrator.createStatement();
      for (String logged :
          List.of(
              "log_statement = 'all'",
              "log_min_duration_statement = 0",
              "log_parameter_max_length = -1",
              "log_parameter_max_length_on_error = -1")) {
        statement.execute("ALTER SYSTEM SET " + logged);
      }
      statement.execute("SELECT pg_reload_conf()");
      WatchedNode node = start(server.location());
      List<Entry> before = plant(node);

      expectNoneInDatabase(server, administrator);
      expectNoneInFiles(node.data());
      eraseJoe(node, before);
      node.close();
      statement.execute("ANALYZE");
      statement.execute("CHECKPOINT");
      expectNoneInDatabase(server, administrator);
      expectNoneInFiles(node.data());
    }
  }

  /** What is not content is in plain, so that the search finds it. */
  private static void expectNoneInDatabase(PostgresServer server, Connection administrator)
      throws IOException, SQLException {
    assertThat(StoredTexts.found(administrator, List.of("delete_all"))).isNotEmpty();
    assertThat(StoredTexts.found(administrator, MARKS)).isEmpty();
    assertThat(StoredTexts.found(server.directory(), List.of("delete_all")))
        .anyMatch(found -> found.startsWith("log:"))
        .anyMatch(found -> found.startsWith("data/pg_wal/"));
    assertThat(StoredTexts.found(server.directory(), MARKS)).isEmpty();
  }

  private static void expectNoneInFiles(Path data) throws IOException {
    assertThat(StoredTexts.found(data, List.of("delete_all"))).isNotEmpty();
    assertThat(StoredTexts.found(data, MARKS)).isEmpty();
  }

  /** Plants content of joe, ann and the node, which is shown; returns the events. */
  private List<Entry> plant(WatchedNode node) throws IOException {
    for (String name : List.of("joe", "ann")) {
      principal = name;
      token = name.equals("joe") ? NodeCaller.JOE : NodeCaller.ANN;
      plantInCalls(node);
      plantInReasons(node);
      plantInAllEvents(node);
    }
    principal = NOBODY;
    plantInParamsOfOperators(node);

    String shown = String.join("\n", shown(node));
    assertThat(planted).filteredOn(text -> !shown.contains(text)).isEmpty();
    assertThat(inOriginals).isNotEmpty().noneMatch(shown::contains);
    return RealJournal.entries(node.journal());
  }

  private void plantInAllEvents(WatchedNode node) {
    for (PlantedEvent each : PlantedEvent.all(principal + "-")) {
      if (each.event() instanceof TreeEvent) {
        ofOthers.addAll(each.texts());
      }
      inOriginals.addAll(each.originals());
      each.texts().stream().filter(text -> !each.originals().contains(text)).forEach(planted::add);
      node.journal()
          .append(ConflictCondition.none(), List.of(each.draft(node.vocabulary(), principal)))
          .join();
    }
  }

  /** With the keys of after, also the events from before the erasure are erased. */
  private void eraseJoe(WatchedNode node, List<Entry> before) throws IOException {
    JsonNode erased =
        node.operator(
            NodeCaller.ALICE, "content.forget", "{\"principal\":\"joe\",\"reason\":\"asked\"}");
    assertThat(erased.at("/result/outcome").asText()).isEqualTo("erased");
    for (List<Entry> entries : List.of(before, RealJournal.entries(node.journal()))) {
      String opened =
          entries.stream()
              .map(entry -> new String(node.vocabulary().open(entry).json(), UTF_8))
              .collect(Collectors.joining("\n"));
      assertThat(Stream.concat(planted.stream(), inOriginals.stream()))
          .filteredOn(
              text -> opened.contains(text) == (text.contains("joe") && !ofOthers.contains(text)))
          .isEmpty();
    }
  }

  private void plantInCalls(WatchedNode node) throws IOException {
    for (String tool : List.of("echo", "delete_all", "no_such_tool")) {
      call(
          node,
          "/mcp",
          "tools/call",
          "{\"name\":\"%s\",\"arguments\":{\"note\":%s}}"
              .formatted(tool, planted("argument of " + tool)));
    }
    inOriginals.add(MARK + "meta of " + principal);
    call(
        node,
        "/mcp",
        "resources/read",
        "{\"uri\":\"res://x\",\"_meta\":{\"note\":%s}}".formatted(quoted(inOriginals.getLast())));
    call(node, "/rpc", "work.do", "{\"note\":%s}", "argument of a source's method");
    call(node, "/rpc", "setLogLevel", "{\"level\":%s}", "argument of the daemon's method");
    call(
        node,
        "/flow/tasks",
        "tasks.create",
        "[{\"name\":%s,\"executor\":\"echo\",\"inputs\":{\"note\":%s}}]"
            .formatted(planted("name of a task"), planted("input of a task")));
    for (String version : List.of("message/send", "SendMessage")) {
      call(
          node,
          "/a2a",
          version,
          "{\"message\":{\"messageId\":\"m-%s-%s\",\"role\":\"user\",\"kind\":\"message\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]}}"
              .formatted(principal, version.replace('/', '-'), planted("part of " + version)));
    }
  }

  private void plantInReasons(WatchedNode node) throws IOException {
    for (boolean approved : List.of(true, false)) {
      String id = "held-" + principal + approved;
      CompletableFuture<RawHttp.Answer> answer =
          node.hold(
              id,
              WatchedNode.toolCall(
                  "deploy", "{\"note\":%s}".formatted(planted("argument held " + approved))),
              NodeCaller.bearer(token));
      node.decide(id, approved, plantedText("reason " + approved));
      answer.join();
    }
  }

  private void plantInParamsOfOperators(WatchedNode node) throws IOException {
    node.operator(
        NodeCaller.ALICE, "audit.lookup", "{\"id\":%s}".formatted(planted("id to look up")));
    node.operator(
        NodeCaller.ALICE, "audit.calls", "{\"principal\":%s}".formatted(planted("principal")));
  }

  /** What operators see of the calls, trees and events. */
  private List<String> shown(WatchedNode node) throws IOException {
    List<String> shown = new ArrayList<>(node.stored());
    for (UUID id : ids(node)) {
      shown.add(
          node.operator(NodeCaller.ALICE, "audit.lookup", "{\"id\":\"%s\"}".formatted(id))
              .toString());
    }
    return shown;
  }

  private Set<UUID> ids(WatchedNode node) {
    Set<UUID> ids = new LinkedHashSet<>();
    for (Event event : node.events()) {
      switch (event) {
        case CallEvent call -> ids.add(call.callId());
        case TreeEvent tree -> ids.add(tree.treeId());
        default -> {
          // it belongs to no call
        }
      }
    }
    return ids;
  }

  private void fail(StubServer.Peer peer) throws IOException {
    String id = peer.request().id();
    peer.answer(
        200,
        StubServer.JSON,
        """
        {"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":%s,"data":{"note":%s}}}\
        """
            .formatted(id, planted("message of a source"), planted("data of a source")));
  }

  private void call(WatchedNode node, String path, String method, String params, String place)
      throws IOException {
    call(node, path, method, params.formatted(planted(place)));
  }

  private void call(WatchedNode node, String path, String method, String params)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    RawHttp.Answer _ = node.post(path, "planted", body.getBytes(UTF_8), NodeCaller.bearer(token));
  }

  private String planted(String place) {
    return quoted(plantedText(place));
  }

  private String plantedText(String place) {
    String text = MARK + "%s of %s".formatted(place, principal);
    planted.add(text);
    return text;
  }
}
