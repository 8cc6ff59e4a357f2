package gatebook.api.upstream.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Has callers hear by the names of here of what a source tells by its own. */
public final class PrefixingListener implements Aside {

  private final Aside aside;
  private final Source source;

  private PrefixingListener(Aside aside, Source source) {
    this.aside = aside;
    this.source = source;
  }

  /** Where both names are the same, nothing comes in between. */
  public static Aside of(Aside aside, Source source) {
    boolean isSame =
        source.prefix().isEmpty() || source.kind() != Source.Kind.MCP || aside.equals(NOBODY);
    return isSame ? aside : new PrefixingListener(aside, source);
  }

  @Override
  public CompletableFuture<Boolean> said(byte[] message) {
    return aside.said(
        new MessageReader(MessageReader.DEPTH_MAX).read(message)
                    instanceof RpcMessage.Notification(var method, var params)
                && params != null
            ? renamed(message, method, params)
            : message);
  }

  private byte[] renamed(byte[] message, String method, String params) {
    String called = CallTargets.asCalled(method, params, source);
    return called.equals(params)
        ? message
        : MemberSplice.with(new String(message, UTF_8), List.of("params"), called).getBytes(UTF_8);
  }

  @Override
  public void placed() {
    aside.placed();
  }

  @Override
  public void paused(long retryMillis) {
    aside.paused(retryMillis);
  }
}
