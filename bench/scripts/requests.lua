-- Sends the requests of a file in turn: one "<token> <path> <body>" a line. METHOD, HOST, HEADERS and KEYED (an
-- Idempotency-Key each) come from the environment. Tells what happened as one line of JSON. With STATUSES it reads each
-- answer and counts those of status 503 with a Retry-After and those of other errors, which takes time.
local method, keyed = os.getenv("METHOD"), os.getenv("KEYED") == "1"
local common = " HTTP/1.1\r\nHost: " .. os.getenv("HOST") .. "\r\n" .. os.getenv("HEADERS")
local heads, tails, next, run = {}, {}, 0, os.time() .. "-" .. tostring({}):sub(8)
local threads = {}

function setup(t)
  t:set("number", #threads)
  table.insert(threads, t)
end

function init()
  for line in io.lines(os.getenv("REQUESTS")) do
    local token, path, body = line:match("^(%S+) (%S+) (.*)$")
    local authorization = token == "-" and "" or "Authorization: Bearer " .. token .. "\r\n"
    table.insert(heads, method .. " " .. path .. common .. authorization)
    table.insert(tails, body == "" and "\r\n"
      or "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body)
  end
  next = number * math.floor(#heads / 2)
end

later, wrong = 0, 0
if os.getenv("STATUSES") == "1" then
  function response(status, headers)
    if status == 503 and tonumber(headers["retry-after"]) then later = later + 1
    elseif status >= 400 then wrong = wrong + 1 end
  end
end

function request()
  next = next + 1
  local at = next % #heads + 1
  if not keyed then return heads[at] .. tails[at] end
  return heads[at] .. "Idempotency-Key: " .. run .. "-" .. number .. "-" .. next .. "\r\n" .. tails[at]
end

function done(summary, latency)
  local all_later, all_wrong = 0, 0
  for _, t in ipairs(threads) do
    all_later, all_wrong = all_later + t:get("later"), all_wrong + t:get("wrong")
  end
  io.write(string.format(
    '\nRESULT {"requests":%d,"microseconds":%d,"bad_status":%d,"failed":%d,"later":%d,"wrong":%d,"p50":%.3f,"p99":%.3f,"max":%.3f}\n',
    summary.requests, summary.duration, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    all_later, all_wrong,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
