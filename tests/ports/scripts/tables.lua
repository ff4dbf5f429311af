-- Tables that grow and shrink, sorting, strings, and the collector.
local big = {}
for i = 1, 100000 do big[i] = i * 2 end
for i = 1, 40000 do big[#big] = nil end
assert(#big == 60000 and big[60000] == 120000)
local keys = {}
for i = 1, 6000 do keys["key" .. i] = i end
local count, sum = 0, 0
for _, value in pairs(keys) do count, sum = count + 1, sum + value end
assert(count == 6000 and sum == 18003000)
for i = 1, 6000, 2 do keys["key" .. i] = nil end
count = 0
for _ in pairs(keys) do count = count + 1 end
assert(count == 3000)

local state = 1
local function random() state = state * 1103515245 + 12345 & 0x7fffffff return state end
local list = {}
for i = 1, 3000 do list[i] = random() end
table.sort(list, function(a, b) return a > b end)
for i = 2, #list do assert(list[i - 1] >= list[i]) end
print(list[1], list[#list], #table.concat(list, ","))

local weak = setmetatable({}, {__mode = "v"})
for i = 1, 1000 do weak[i] = {i} end
collectgarbage()
print(next(weak), select("#", table.unpack({1, nil, 3}, 1, 3)))
for i = 1, 20000 do local garbage = {i, tostring(i)} end
collectgarbage()
assert(collectgarbage("count") < 20000)

local text = {}
for word in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do
    text[#text + 1] = word:gsub("^%l", string.upper)
end
print(table.concat(text, " "), ("x"):rep(3, "-"), ("hello"):find("l+"), ("%d+"):len())
print(("key = value"):match("(%w+)%s*=%s*(%w+)"), utf8.char(8364, 955), utf8.len("€λ"))
local object = setmetatable({}, {__index = function(_, k) return k .. "!" end, __call = function(_, a) return a * 2 end,
    __tostring = function() return "object" end, __lt = function() return true end, __close = function() print("closed") end})
do local scope <close> = object print(object.name, object(21), tostring(object), object < object) end
print(string.unpack(">I4 z", string.pack(">I4 z", 0xdeadbeef, "end")))
