package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.Asking.CALL;
import static gatebook.api.upstream.source.Sources.limited;
import static gatebook.api.upstream.source.Sources.mcp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpstreamsTest {

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  @Test
  void aSourceThatDidNotChangeIsTheSameUpstream() throws IOException {
    try (Stub stub = Stub.each(answering("{}"))) {
      Upstream first = asking.upstream(mcp(stub.url("/")));

      assertThat(asking.upstream(mcp(stub.url("/")))).isSameAs(first);
      assertThat(asking.upstream(limited(stub.url("/"), 5_000, 4_999))).isNotSameAs(first);
      assertThat(asking.upstreams().of(List.of(), ConnectionLimits.DEFAULT, 256))
          .isEqualTo(Map.of());
    }
  }

  @Test
  void aSourceThatIsGoneEndsItsCallsAndThenItsConnections() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    Stub.Script slow =
        peer -> {
          String id = peer.request().id();
          try {
            answering.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          peer.answer(200, Stub.JSON, result(id, "1"));
          peer.waitForEnd();
        };
    try (Stub stub = new Stub(slow)) {
      Upstream upstream = asking.upstream(mcp(stub.url("/")));
      CompletableFuture<Response> running = upstream.call(CALL, Aside.NOBODY);
      stub.requests.take();

      asking.upstreams().of(List.of(), ConnectionLimits.DEFAULT, 256);
      answering.countDown();

      assertThat(running.join()).isEqualTo(new Ended.Result("1", false));
      assertThat(upstream.call(CALL, Aside.NOBODY).join()).isEqualTo(new Ended.Result("1", false));
      await().until(() -> stub.open() == 0);
      assertThat(asking.meters().getMeters()).isEmpty();
    }
  }

  @Test
  void toolsAreAskedForPageAfterPage() throws Exception {
    Stub.Script pages =
        peer -> {
          Stub.Request request = peer.request();
          peer.answer(
              200,
              Stub.JSON,
              result(
                  request.id(),
                  request.body().contains("cursor")
                      ? "{\"tools\":[{\"name\":\"b\", \"x\":1.50}]}"
                      : "{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"p\\\"2\"}"));
        };
    try (Stub stub = Stub.each(pages)) {
      Listing listing = asking.upstream(mcp(stub.url("/"))).tools().join();

      assertThat(listing)
          .isEqualTo(
              new Listing.Tools(
                  List.of(
                      new Tool("a", "{\"name\":\"a\"}"),
                      new Tool("b", "{\"name\":\"b\", \"x\":1.50}"))));
      assertThat(stub.requests)
          .extracting(Stub.Request::body)
          .containsExactly(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"p\\\"2\"}}");
    }
  }

  @Test
  void aListWithoutEndIsNone() throws IOException {
    try (Stub stub = Stub.each(answering("{\"tools\":[],\"nextCursor\":\"again\"}"))) {
      assertThat(asking.upstream(mcp(stub.url("/"))).tools().join())
          .isEqualTo(failed("a list of tools without end"));
      assertThat(stub.requests).hasSize(ToolListPages.PAGES_MAX);
    }
  }

  @Test
  void whatIsNoListOfToolsIsSaidToBeNone() throws IOException {
    for (String no : List.of("{}", "[]", "{\"tools\":{}}", "{\"tools\":[{}]}", "{\"tools\":[1]}")) {
      try (Stub stub = Stub.each(answering(no))) {
        assertThat(asking.upstream(mcp(stub.url("/"))).tools().join())
            .isEqualTo(failed("no list of tools"));
      }
    }
  }

  @Test
  void howLongAttemptsTakeIsCountedByWhatCameOfThem() throws IOException {
    try (Stub stub = Stub.each(answering("{\"isError\":true}"))) {
      asking.response(mcp(stub.url("/")));

      assertThat(
              asking
                  .meters()
                  .get("gatebook.upstream")
                  .tags("source", "tools", "outcome", "tool-error")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(asking.connections()).isEqualTo(1);
    }
  }

  private static Listing failed(String words) {
    return new Listing.Failed(
        new Ended.Failure(new UpstreamError("tools", null, words, null, null)));
  }

  private static Stub.Script answering(String result) {
    return peer -> {
      String id = peer.request().id();
      peer.answer(200, Stub.JSON, result(id, result));
    };
  }

  private static String result(String id, String json) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id, json);
  }
}
