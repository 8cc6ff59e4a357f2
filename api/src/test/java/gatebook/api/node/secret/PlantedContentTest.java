package gatebook.api.node.secret;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.StoredTexts;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.TreeEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants texts in all that callers, sources and operators write freely, by every dialect. Operators
 * see them; no file of the data directory has one of them in plain.
 */
@Timeout(300)
final class PlantedContentTest {
  @TempDir private Path folder;

  private final List<String> planted = new CopyOnWriteArrayList<>();

  /** What only the originals have, which are not shown. */
  private final List<String> inOriginals = new ArrayList<>();

  private final StubServer source = StubServer.each(this::fail);
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node =
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
                .formatted(source.url("/"), NodeCaller.people("view, arguments, approve")));
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
    source.close();
  }

  @Test
  void contentIsShownAndInNoFileInPlain() throws IOException {
    plantInCalls();
    plantInReasons();
    plantInParamsOfOperators();

    String shown = String.join("\n", shown());
    assertThat(planted).filteredOn(text -> !shown.contains(text)).isEmpty();
    assertThat(inOriginals).isNotEmpty().noneMatch(shown::contains);
    expectNoneInFiles();
    node.close();
    expectNoneInFiles();
  }

  /** What is not content is in plain, so that the search finds it. */
  private void expectNoneInFiles() throws IOException {
    assertThat(StoredTexts.found(node.data(), List.of("delete_all"))).isNotEmpty();
    assertThat(StoredTexts.found(node.data(), planted)).isEmpty();
    assertThat(StoredTexts.found(node.data(), inOriginals)).isEmpty();
  }

  private void plantInCalls() throws IOException {
    for (String tool : List.of("echo", "delete_all", "no_such_tool")) {
      call(
          "/mcp",
          "tools/call",
          "{\"name\":\"%s\",\"arguments\":{\"note\":%s}}"
              .formatted(tool, planted("argument of " + tool)));
    }
    inOriginals.add("purple heron in the meta");
    call(
        "/mcp",
        "resources/read",
        "{\"uri\":\"res://x\",\"_meta\":{\"note\":%s}}".formatted(quoted(inOriginals.getFirst())));
    call("/rpc", "work.do", "{\"note\":%s}", "argument of a source's method");
    call("/rpc", "setLogLevel", "{\"level\":%s}", "argument of the daemon's method");
    call(
        "/flow/tasks",
        "tasks.create",
        "[{\"name\":%s,\"executor\":\"echo\",\"inputs\":{\"note\":%s}}]"
            .formatted(planted("name of a task"), planted("input of a task")));
    for (String version : List.of("message/send", "SendMessage")) {
      call(
          "/a2a",
          version,
          "{\"message\":{\"messageId\":\"m-%s\",\"role\":\"user\",\"kind\":\"message\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]}}"
              .formatted(version.replace('/', '-'), planted("part of " + version)));
    }
  }

  private void plantInReasons() throws IOException {
    for (boolean approved : List.of(true, false)) {
      String id = "held-" + approved;
      CompletableFuture<RawHttp.Answer> answer =
          node.hold(
              id,
              WatchedNode.toolCall(
                  "deploy", "{\"note\":%s}".formatted(planted("argument held " + approved))),
              NodeCaller.bearer(NodeCaller.JOE));
      node.decide(id, approved, plantedText("reason " + approved));
      answer.join();
    }
  }

  private void plantInParamsOfOperators() throws IOException {
    node.operator(
        NodeCaller.ALICE, "audit.lookup", "{\"id\":%s}".formatted(planted("id to look up")));
    node.operator(
        NodeCaller.ALICE, "audit.calls", "{\"principal\":%s}".formatted(planted("principal")));
  }

  /** What operators see of the calls, trees and events. */
  private List<String> shown() throws IOException {
    List<String> shown = new ArrayList<>(node.stored());
    for (UUID id : ids()) {
      shown.add(
          node.operator(NodeCaller.ALICE, "audit.lookup", "{\"id\":\"%s\"}".formatted(id))
              .toString());
    }
    return shown;
  }

  private Set<UUID> ids() {
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

  private void call(String path, String method, String params, String place) throws IOException {
    call(path, method, params.formatted(planted(place)));
  }

  private void call(String path, String method, String params) throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    RawHttp.Answer _ =
        node.post(path, "planted", body.getBytes(UTF_8), NodeCaller.bearer(NodeCaller.JOE));
  }

  private String planted(String place) {
    return quoted(plantedText(place));
  }

  private String plantedText(String place) {
    String text = "purple heron in the " + place;
    planted.add(text);
    return text;
  }
}
