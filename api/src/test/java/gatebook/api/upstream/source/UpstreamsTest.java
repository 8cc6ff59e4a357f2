package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.TestSources.limited;
import static gatebook.api.upstream.source.TestSources.mcp;
import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpstreamsTest {

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  @Test
  void anUnchangedSourceKeepsItsUpstream() throws IOException {
    try (StubServer stubServer = StubServer.each(answering("{}"))) {
      Upstream first = upstreamFixture.upstream(mcp(stubServer.url("/")));

      assertThat(upstreamFixture.upstream(mcp(stubServer.url("/")))).isSameAs(first);
      assertThat(upstreamFixture.upstream(limited(stubServer.url("/"), 5_000, 4_999)))
          .isNotSameAs(first);
      assertThat(upstreamFixture.upstreams().update(List.of(), UpstreamLimits.DEFAULT))
          .isEqualTo(Map.of());
    }
  }

  @Test
  void aRemovedSourceFinishesItsCallsFirst() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    StubServer.Script slow =
        peer -> {
          String id = peer.request().id();
          try {
            answering.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          peer.answer(200, StubServer.JSON, result(id, "1"));
          peer.waitForEnd();
        };
    try (StubServer stubServer = new StubServer(slow)) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")));
      CompletableFuture<Response> running = upstream.call(CALL, MessageListener.NONE);
      stubServer.requests.take();

      upstreamFixture.upstreams().update(List.of(), UpstreamLimits.DEFAULT);
      answering.countDown();

      assertThat(running.join()).isEqualTo(new Ended.Result("1", false));
      assertThat(upstream.call(CALL, MessageListener.NONE).join())
          .isEqualTo(new Ended.Result("1", false));
      await().until(() -> stubServer.open() == 0);
      assertThat(upstreamFixture.meters().getMeters()).isEmpty();
    }
  }

  @Test
  void toolsAreListedPageByPage() throws Exception {
    StubServer.Script pages =
        peer -> {
          StubServer.Request request = peer.request();
          peer.answer(
              200,
              StubServer.JSON,
              result(
                  request.id(),
                  request.body().contains("cursor")
                      ? """
                      {"tools":[{"name":"b", "x":1.50}]}\
                      """
                      : """
                      {"tools":[{"name":"a"}],"nextCursor":"p\\"2"}\
                      """));
        };
    try (StubServer stubServer = StubServer.each(pages)) {
      Listing listing = upstreamFixture.upstream(mcp(stubServer.url("/"))).listTools().join();

      assertThat(listing)
          .isEqualTo(
              new Listing.Tools(
                  List.of(
                      new Tool("a", "{\"name\":\"a\"}"),
                      new Tool(
                          "b",
                          """
                          {"name":"b", "x":1.50}\
                          """))));
      assertThat(stubServer.requests)
          .extracting(StubServer.Request::body)
          .containsExactly(
              """
              {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
              """,
              """
              {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p\\"2"}}\
              """);
    }
  }

  @Test
  void anEndlessListIsAnError() throws IOException {
    try (StubServer stubServer =
        StubServer.each(
            answering(
                """
                {"tools":[],"nextCursor":"again"}\
                """))) {
      assertThat(upstreamFixture.upstream(mcp(stubServer.url("/"))).listTools().join())
          .isEqualTo(failed("a list of tools without end"));
      assertThat(stubServer.requests).hasSize(ToolListPages.PAGES_MAX);
    }
  }

  @Test
  void anInvalidListOfToolsIsAnError() throws IOException {
    for (String no : List.of("{}", "[]", "{\"tools\":{}}", "{\"tools\":[{}]}", "{\"tools\":[1]}")) {
      try (StubServer stubServer = StubServer.each(answering(no))) {
        assertThat(upstreamFixture.upstream(mcp(stubServer.url("/"))).listTools().join())
            .isEqualTo(failed("no list of tools"));
      }
    }
  }

  @Test
  void attemptsAreMeasuredByOutcome() throws IOException {
    try (StubServer stubServer = StubServer.each(answering("{\"isError\":true}"))) {
      upstreamFixture.response(mcp(stubServer.url("/")));

      assertThat(
              upstreamFixture
                  .meters()
                  .get("gatebook.upstream")
                  .tags("source", "tools", "outcome", "tool-error")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(upstreamFixture.connections()).isEqualTo(1);
    }
  }

  @Test
  void figuresOfASourceAreThoseOfItsAttempts() throws IOException {
    try (StubServer stubServer = StubServer.each(answering("{\"isError\":true}"))) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")));
      assertThat(upstreamFixture.upstreams().attempts())
          .isEqualTo(
              Map.of("tools", new AttemptFigures(0, 0, false, Optional.empty(), Optional.empty())));

      upstream.call(CALL, MessageListener.NONE).join();

      AttemptFigures figures =
          Objects.requireNonNull(upstreamFixture.upstreams().attempts().get("tools"));
      assertThat(figures).isEqualTo(new AttemptFigures(1, 0, false, figures.p50(), figures.p50()));
      assertThat(figures.p50()).isPresent();
    }
  }

  @Test
  void attemptsWithoutAResultHaveFailed() throws IOException {
    try (StubServer stubServer = StubServer.each(StubServer.Peer::waitForEnd)) {
      upstreamFixture.response(limited(stubServer.url("/"), 60_000, 50));

      AttemptFigures figures =
          Objects.requireNonNull(upstreamFixture.upstreams().attempts().get("tools"));
      assertThat(figures).isEqualTo(new AttemptFigures(1, 1, true, figures.p50(), figures.p99()));
    }
  }

  private static Listing failed(String words) {
    return new Listing.Failed(
        new Ended.Failure(new UpstreamError("tools", null, words, null, null)));
  }

  private static StubServer.Script answering(String result) {
    return peer -> {
      String id = peer.request().id();
      peer.answer(200, StubServer.JSON, result(id, result));
    };
  }

  private static String result(String id, String json) {
    return """
    {"jsonrpc":"2.0","id":%s,"result":%s}\
    """
        .formatted(id, json);
  }
}
