package gatebook.api.upstream.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Listener that puts the prefix of a source before its own names in messages to callers. */
public final class PrefixingListener implements MessageListener {

  private final MessageListener listener;
  private final Source source;

  private PrefixingListener(MessageListener listener, Source source) {
    this.listener = listener;
    this.source = source;
  }

  /** The same listener when the names are equal for source and callers. */
  public static MessageListener of(MessageListener listener, Source source) {
    boolean isSame =
        source.prefix().isEmpty() || source.kind() != Source.Kind.MCP || listener.equals(NONE);
    return isSame ? listener : new PrefixingListener(listener, source);
  }

  @Override
  public CompletableFuture<Boolean> onMessage(byte[] message) {
    return listener.onMessage(
        new MessageReader(MessageReader.DEPTH_MAX).read(message)
                    instanceof RpcMessage.Notification(var method, var params, _)
                && params != null
            ? renamed(message, method, params)
            : message);
  }

  private byte[] renamed(byte[] message, String method, String params) {
    String called = CallTargets.withCallerNames(method, params, source);
    return called.equals(params)
        ? message
        : MemberSplice.with(new String(message, UTF_8), List.of("params"), called).getBytes(UTF_8);
  }

  @Override
  public void onEventId() {
    listener.onEventId();
  }

  @Override
  public void onPause(long retryMillis) {
    listener.onPause(retryMillis);
  }
}
