-- Calls as traffic is, or the same calls without what differs from one to the next. Run by wrk with a seed, whether the
-- calls vary, and the numbers of principals, denied tools and forwarded tools.

wrk.method = "POST"
local n, varies, principals, denied, forwarded
local filler = {}
local words = {"the", "order", "of", "twelve", "boxes", "leaves", "north", "on", "Tuesday", "and", "needs", "a", "lift",
  "at", "gate", "four", "because", "stairs", "are", "closed", "until", "noon"}

local function hex(digits)
  local parts = {}
  for i = 1, digits / 4 do parts[i] = string.format("%04x", math.random(0, 65535)) end
  return table.concat(parts)
end

local function text(length)
  local parts, size = {}, 0
  while size < length do
    local word = words[math.random(1, #words)]
    parts[#parts + 1] = word
    size = size + #word + 1
  end
  return table.concat(parts, " ")
end

function init(args)
  local seed = tonumber(args[1])
  math.randomseed(seed)
  n = 0
  varies = args[2] == "varies"
  principals, denied, forwarded = tonumber(args[3]), tonumber(args[4]), tonumber(args[5])
  for i = 1, 64 do filler[i] = text(900) end
  prefix = string.format("load-%d-", seed)
end

function request()
  n = n + 1
  local isForwarded = n % 10 == 0
  local tools = isForwarded and forwarded or denied
  local tool = varies and math.random(1, tools) or 1
  local principal = varies and math.random(1, principals) or 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer token-of-agent-" .. principal,
  }
  if varies then
    headers["X-Correlation-Id"] = prefix .. n
    headers["traceparent"] = "00-" .. hex(32) .. "-" .. hex(16) .. "-01"
  end
  local body = string.format(
    '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s_%d","arguments":{"order":%d,"text":"%s"}}}',
    varies and n or 1, isForwarded and "get_report" or "delete_record", tool, varies and n or 1, filler[varies and math.random(1, 64) or 1])
  return wrk.format(nil, nil, headers, body)
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("counted: %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
