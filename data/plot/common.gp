# SPDX-License-Identifier: GPL-3.0-or-later
# What all figures share.  Set before: width, small_font, kernel, launch, machine, cache.
# Colours: Okabe and Ito 2008, told apart by most colour-blind readers; the lightness differs too,
# and marks and dashes repeat what the colour says.
dark = '#303030'
blue = '#0072B2'
orange = '#E69F00'
sky = '#56B4E9'
green = '#009E73'
red = '#D55E00'

# A narrow figure has smaller fonts, and its key below.
narrow = width < 500
narrow_key = narrow ? 'set key outside below center horizontal maxcols 3 samplen 1.2 width 0 height 0.8 font small_font' : ''
set border 3 linecolor rgb dark linewidth 1
set tics nomirror out scale 0.6 textcolor rgb dark
if (narrow) { set tics font small_font }
set grid ytics back linecolor rgb '#D8D8D8' linewidth 1
set key textcolor rgb dark samplen 2.5 spacing 1.1
# The title is a label at the left, two lines: what it is, and of which kernel on which machine.
set label 1001 at screen 0.02, screen 1 left offset 0,-1.2 textcolor rgb '#000000'
set label 1002 at screen 0.02, screen 1 left offset 0,-2.5 textcolor rgb '#606060'
# What fits in a title line.
letter = narrow ? 5.4 : 6.2
clip(t) = strlen(t) > int(width / letter) ? t[1:int(width / letter) - 1].'…' : t
# --title (retitled) takes the place of the first line; an empty one of both.
bare = retitled && !strlen(title)
# What they say is kept for a caption.
said = ''
said_below = ''
heading(t) = (said = retitled && strlen(title) ? title : t, clip(retitled ? title : t))
below_it(t) = (said_below = t, bare ? '' : clip(t))
top_margin(lines) = bare ? (lines > 3.2 ? lines - 3.2 : 1) : lines
set tmargin top_margin(4.2)
# Sizes, and an axis of them: every power of two from low to high, as many with a text as fit.
size_text(b) = b < 1024 ? sprintf('%d B', b) : b < 1048576 ? sprintf('%g KB', b / 1024.0) : b < 1073741824 ? sprintf('%g MB', b / 1048576.0) : sprintf('%g GB', b / 1073741824.0)
sizes_fit = narrow ? width * 0.72 / 40 : width * 0.72 / 56
pct(part, all) = all > 0 ? 100.0 * part / all : 0.0
